package dev.parley.tools.files;

import dev.parley.domain.Names;
import dev.parley.domain.permission.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The path of a file or folder in a workspace, in the canonical form that permission rules see: absolute, without
 * doubled and trailing slashes. Paths are case-sensitive.
 */
public record FilePath(String value) {
    /** The root folder. */
    public static final FilePath ROOT = new FilePath("/");

    private static final int MAX_LENGTH = 1_024;
    private static final int MAX_NAME = 255;
    private static final String RESERVED = ".parley";

    /**
     * Parses the path of a file.
     *
     * @throws WorkspaceException when it is invalid, with the reason
     */
    public static FilePath file(String text) {
        if (text.endsWith("/")) {
            throw invalid("is a folder; name a file in it, without a slash at the end");
        }
        FilePath path = folder(text);
        if (path.isRoot()) {
            throw invalid("is missing; name a file, such as /notes/today.md");
        }
        return path;
    }

    /**
     * Parses the path of a folder, which need not exist.
     *
     * @throws WorkspaceException when it is invalid, with the reason
     */
    public static FilePath folder(String text) {
        checkCharacters(text);
        if (text.length() > 4 * MAX_LENGTH) {
            throw invalid("has more than " + MAX_LENGTH + " characters");
        }
        List<String> names =
                Arrays.stream(text.split("/")).filter(name -> !name.isEmpty()).toList();
        names.forEach(FilePath::check);
        if (!names.isEmpty() && names.getFirst().equalsIgnoreCase(RESERVED)) {
            throw invalid("begins with the folder " + RESERVED + ", which is reserved");
        }
        String value =
                names.isEmpty() ? "/" : Subject.of(Subject.Kind.PATH, text).value();
        if (value.length() > MAX_LENGTH) {
            throw invalid("has more than " + MAX_LENGTH + " characters");
        }
        return new FilePath(value);
    }

    private static void checkCharacters(String text) {
        if (text.indexOf('\\') >= 0) {
            throw invalid("has a backslash; folders end with /");
        }
        if (text.indexOf('\uFFFD') >= 0) {
            throw invalid("is not valid UTF-8");
        }
        Names.problemOfText(text).ifPresent(problem -> {
            throw invalid(problem);
        });
    }

    private static void check(String name) {
        if (name.equals(".") || name.equals("..")) {
            throw invalid("has a '" + name + "'; write it from the root, such as /notes/today.md");
        }
        if (name.isBlank() || !name.equals(name.strip())) {
            throw invalid("has a name that begins or ends with a space");
        }
        if (name.length() > MAX_NAME) {
            throw invalid("has a name of more than " + MAX_NAME + " characters");
        }
    }

    private static WorkspaceException invalid(String problem) {
        return new WorkspaceException(WorkspaceException.Kind.INVALID_PATH, "the path " + problem);
    }

    boolean isRoot() {
        return value.equals("/");
    }

    /** The common prefix of the paths of all files in this folder. */
    String prefix() {
        return isRoot() ? value : value + "/";
    }

    /** The parent folders, except for the root. */
    List<String> folders() {
        var found = new ArrayList<String>();
        for (int slash = value.indexOf('/', 1); slash > 0; slash = value.indexOf('/', slash + 1)) {
            found.add(value.substring(0, slash));
        }
        return found;
    }

    @Override
    public String toString() {
        return value;
    }
}
