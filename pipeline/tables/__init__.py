"""Tables with links into passages: evidence blocks, links of cells, budgets, and their measures."""
