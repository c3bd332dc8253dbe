package dev.parley.domain.definition;

import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;

/**
 * A skill that another one depends on.
 *
 * @param required whether the dependent skill cannot be loaded without this one; otherwise it is loaded if it fits
 */
public record SkillNeed(
        @Field(required = true, form = Form.LINE, length = 64)
        String skill,

        @Field(fallback = "true") boolean required) {}
