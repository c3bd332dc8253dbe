package dev.parley.tools.files;

/** A condition on the version of a file, checked under the workspace lock before a change. */
@FunctionalInterface
public interface Precondition {
    /** No condition. */
    Precondition NONE = _ -> {};

    /**
     * Throws an exception if the condition does not hold.
     *
     * @param version the version of the file; 0 if there is none
     */
    void check(int version);
}
