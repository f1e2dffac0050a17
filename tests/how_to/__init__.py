"""The how-tos, followed to the letter."""
