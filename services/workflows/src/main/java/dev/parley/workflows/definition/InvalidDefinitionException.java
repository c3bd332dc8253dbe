package dev.parley.workflows.definition;

import java.util.List;
import java.util.stream.Collectors;

/** A definition is invalid; the exception has every problem. */
public final class InvalidDefinitionException extends RuntimeException {
    private final transient List<Problem> problems;

    InvalidDefinitionException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All problems, in the order of the text. */
    public List<Problem> problems() {
        return problems;
    }
}
