package dev.parley.agents.budget;

import java.util.UUID;

/** The id of a call's reservation. */
record Reservation(UUID host, UUID id) {}
