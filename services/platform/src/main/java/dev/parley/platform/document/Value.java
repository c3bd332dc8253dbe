package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a field: how a document writes them, and which are valid. */
interface Value {
    /**
     * The value of a component.
     *
     * @param document what the document has
     * @param faults to which faults of the value are added; their fields are below this one
     * @return null if the document has none, such as a blank text, or an invalid one
     */
    @Nullable
    Object read(Object document, List<Fault> faults);

    /** What a document has for the value of a component. */
    Object write(Object value);

    /** The JSON Schema of the values, as OpenAPI has it. */
    Map<String, Object> schema();
}
