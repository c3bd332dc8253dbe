package dev.parley.domain.definition;

/**
 * A skill that another one depends on.
 *
 * @param required whether the dependent skill cannot be loaded without this one; otherwise it is loaded if it fits
 */
public record SkillNeed(String skill, boolean required) {}
