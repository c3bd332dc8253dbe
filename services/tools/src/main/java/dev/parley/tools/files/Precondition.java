package dev.parley.tools.files;

/** What has to hold of a file before it is changed; asked while nobody else can change it. */
@FunctionalInterface
public interface Precondition {
    /** Whatever is there. */
    Precondition NONE = _ -> {};

    /**
     * Throws where it does not hold.
     *
     * @param version the file's; 0 where there is none
     */
    void check(int version);

    /** The file has this version; 0: there is none. */
    static Precondition version(int expected) {
        return current -> {
            if (current != expected) {
                throw new WorkspaceException(
                        WorkspaceException.Kind.CONFLICT,
                        "the file has changed since: its version is %d, not %d".formatted(current, expected));
            }
        };
    }
}
