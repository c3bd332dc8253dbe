package dev.parley.domain.access;

import java.time.Instant;
import java.util.UUID;

/** A request was made with an API key. */
public record KeyUsed(UUID host, UUID id, Instant at) {}
