package dev.parley.domain.document;

/** A record cannot have the value of one of its components. */
public final class FaultException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient Fault fault;

    public FaultException(String field, String problem) {
        super(field + " " + problem);
        this.fault = new Fault(field, problem);
    }

    /** The invalid component. */
    public Fault fault() {
        return fault;
    }
}
