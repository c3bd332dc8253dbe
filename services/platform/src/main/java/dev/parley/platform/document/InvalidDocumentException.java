package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** A document has invalid fields. */
public final class InvalidDocumentException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<Fault> faults;

    /** @param faults at least one */
    public InvalidDocumentException(List<Fault> faults) {
        super(faults.stream().map(Fault::sentence).collect(Collectors.joining("; ")));
        this.faults = List.copyOf(faults);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** The invalid fields, at least one. */
    public List<Fault> faults() {
        return faults;
    }
}
