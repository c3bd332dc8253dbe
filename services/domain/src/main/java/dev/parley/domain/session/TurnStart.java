package dev.parley.domain.session;

import java.util.UUID;

/** Where a turn's entries begin; {@code bytes} is the weight of all entries before. */
public record TurnStart(UUID turnId, long seq, long entry, long bytes) {}
