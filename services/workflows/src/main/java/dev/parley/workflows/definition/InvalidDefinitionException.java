package dev.parley.workflows.definition;

import java.util.List;
import java.util.stream.Collectors;

/** A definition is invalid; the exception has every problem. */
public final class InvalidDefinitionException extends RuntimeException {
    private final transient List<DefinitionProblem> problems;

    InvalidDefinitionException(List<DefinitionProblem> problems) {
        super(problems.stream().map(DefinitionProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All problems, in the order of the text. */
    public List<DefinitionProblem> problems() {
        return problems;
    }
}
