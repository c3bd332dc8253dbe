package dev.parley.domain.document;

import java.util.List;
import java.util.Set;

/**
 * A record with rules for definitions that are about several fields, or that its constructor does not have because
 * other records of the type break them.
 */
public interface Checked {
    /**
     * What is invalid in the definition.
     *
     * @param given fields that the document has
     */
    List<Fault> faults(Set<String> given);

    /** Fields that a document of this record does not have. */
    default Set<String> omitted() {
        return Set.of();
    }
}
