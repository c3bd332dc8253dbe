package dev.parley.memory.search;

import dev.parley.domain.memory.LinkType;

/**
 * A link, seen from one of its ends.
 *
 * @param row of the other end
 * @param weight from 0 to 1
 * @param outgoing whether it leads to the other end
 */
public record Link(int row, LinkType type, double weight, boolean outgoing) {}
