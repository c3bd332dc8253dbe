package dev.parley.control.catalogue;

import dev.parley.platform.http.Problem.InvalidField;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored tool, skill or endpoint that this build refuses, as {@link CatalogueService} writes it; it can be replaced
 * and deleted. This record describes it in OpenAPI.
 *
 * @param source Definition level: project or host.
 * @param problem What is wrong, in sentences.
 * @param errors All invalid fields.
 * @param stored The document as it is stored; null for one that is inherited.
 */
@Schema(name = "RefusedDefinition", description = "A stored definition that this build refuses.")
record RefusedEntry(
        String name,
        String version,
        String source,
        Instant updatedAt,
        String problem,
        List<InvalidField> errors,
        @Nullable Map<String, Object> stored) {}
