package dev.parley.domain.memory;

import java.util.UUID;

/**
 * An entity mentioned by a unit.
 *
 * @param entity id of the entity in its bank
 * @param name used by the unit; the entity's name is the fullest one in any unit
 */
public record Mention(UUID entity, String name) {}
