package dev.parley.workflows.definition;

/**
 * A problem in a definition.
 *
 * @param pointer its JSON pointer, {@code /do/1/greet/set}
 * @param line from 1; 0 if unknown
 * @param column from 1; 0 if unknown
 * @param detail a message for the author
 */
public record DefinitionProblem(String pointer, int line, int column, String detail) {
    @Override
    public String toString() {
        String location = line == 0 ? "" : "line " + line + ", column " + column + ": ";
        return location + detail + (pointer.isEmpty() ? "" : " (" + pointer + ")");
    }
}
