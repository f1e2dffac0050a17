"""Festivals: events under one name, which are its sections."""
