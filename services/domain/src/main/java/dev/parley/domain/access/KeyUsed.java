package dev.parley.domain.access;

import java.time.Instant;
import java.util.UUID;

/** A request was made with a key of the API. */
public record KeyUsed(UUID host, UUID id, Instant at) {}
