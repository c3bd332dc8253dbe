package dev.parley.agents.budget;

import java.util.UUID;

/** What is reserved for a call. */
record Reservation(UUID host, UUID id) {}
