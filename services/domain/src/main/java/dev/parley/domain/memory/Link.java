package dev.parley.domain.memory;

import java.util.UUID;

/**
 * A directed relation between two units of a bank.
 *
 * @param weight strength, from 0 to 1
 */
public record Link(UUID from, UUID to, LinkType type, double weight) {
    /**
     * @throws IllegalArgumentException for a self-reference, a weight outside 0 to 1, or a type that is never stored
     */
    public Link {
        if (from.equals(to)) {
            throw new IllegalArgumentException("a unit is not linked to itself: " + from);
        }
        if (!(weight >= 0 && weight <= 1)) {
            throw new IllegalArgumentException("a link's weight is from 0 to 1, not " + weight);
        }
        if (type == LinkType.ENTITY) {
            throw new IllegalArgumentException("what is about the same entity is found by the entity, not by a link");
        }
    }
}
