package dev.parley.control.permissions;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/** Request body that creates a rule: the document of a {@link dev.parley.domain.permission.RuleDocument}. */
@Serdeable
@Schema(name = "NewPermissionRule") // DocumentSchemas has its fields
record RuleBody(@Schema(hidden = true) JsonNode document) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    RuleBody {}
}
