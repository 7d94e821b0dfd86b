"""The numbers of edition v3: movements by branch, contrasts, responsiveness and their intervals. Pure functions."""
