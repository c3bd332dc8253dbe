package dev.parley.control.catalogue;

import dev.parley.domain.definition.Skill;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A skill and the skills that are parts of it. */
@Serdeable
@Schema(name = "SkillTree")
record SkillTree(String name, String description, List<SkillTree> parts) {
    /** The tree of skills; a skill without its parent in the list is a root. */
    static List<SkillTree> of(Collection<Skill> skills) {
        Set<String> names = skills.stream().map(Skill::name).collect(Collectors.toSet());
        return skills.stream()
                .filter(skill -> skill.parent() == null || !names.contains(skill.parent()))
                .map(skill -> below(skill, skills))
                .toList();
    }

    /** Terminates, as cycles are rejected on definition. */
    private static SkillTree below(Skill skill, Collection<Skill> skills) {
        String name = skill.name();
        return new SkillTree(
                name,
                skill.description(),
                skills.stream()
                        .filter(other -> name.equals(other.parent()) && !name.equals(other.name()))
                        .map(other -> below(other, skills))
                        .toList());
    }
}
