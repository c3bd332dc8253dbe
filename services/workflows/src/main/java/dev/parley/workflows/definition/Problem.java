package dev.parley.workflows.definition;

/**
 * What is wrong with a definition.
 *
 * @param pointer JSON pointer to where it is, {@code /do/1/greet/set}
 * @param line of the text, from 1; 0 where it is not known
 * @param column of the line, from 1; 0 where it is not known
 * @param detail says to its author what to do
 */
public record Problem(String pointer, int line, int column, String detail) {
    @Override
    public String toString() {
        String place = line == 0 ? "" : "line " + line + ", column " + column + ": ";
        return place + detail + (pointer.isEmpty() ? "" : " (" + pointer + ")");
    }
}
