package dev.parley.tools.files;

import dev.parley.domain.permission.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The path of a file or folder in a workspace, in the one form in which rules about tool calls see it: from the root, without doubled
 * and trailing slashes. Upper and lower case differ.
 */
public record FilePath(String value) {
    /** The folder that everything is in. */
    public static final FilePath ROOT = new FilePath("/");

    private static final int LONGEST = 1_024;
    private static final int LONGEST_NAME = 255;
    private static final String RESERVED = ".parley";
    /** Control characters, halves of pairs, line ends, what turns the direction of writing, and what is no character. */
    private static final Pattern REFUSED =
            Pattern.compile("[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069\\uFFFD\\uFFFE\\uFFFF]");

    /**
     * Reads the path of a file.
     *
     * @throws WorkspaceException when it is none, saying why
     */
    public static FilePath file(String text) {
        if (text.endsWith("/")) {
            throw bad("is a folder; name a file in it, without a slash at the end");
        }
        FilePath path = folder(text);
        if (path.isRoot()) {
            throw bad("is missing; name a file, such as /notes/today.md");
        }
        return path;
    }

    /**
     * Reads the path of a folder, which need not exist.
     *
     * @throws WorkspaceException when it is none, saying why
     */
    public static FilePath folder(String text) {
        if (text.indexOf('\\') >= 0) {
            throw bad("has a backslash; folders end with /");
        }
        if (REFUSED.matcher(text).find()) {
            throw bad("has control characters, or others that cannot be seen");
        }
        if (text.length() > 4 * LONGEST) {
            throw bad("has more than " + LONGEST + " characters");
        }
        List<String> names =
                Arrays.stream(text.split("/")).filter(name -> !name.isEmpty()).toList();
        names.forEach(FilePath::check);
        if (!names.isEmpty() && names.getFirst().equalsIgnoreCase(RESERVED)) {
            throw bad("begins with the folder " + RESERVED + ", which is reserved");
        }
        String value =
                names.isEmpty() ? "/" : Subject.of(Subject.Kind.PATH, text).value();
        if (value.length() > LONGEST) {
            throw bad("has more than " + LONGEST + " characters");
        }
        return new FilePath(value);
    }

    private static void check(String name) {
        if (name.equals(".") || name.equals("..")) {
            throw bad("has a '" + name + "'; write it from the root, such as /notes/today.md");
        }
        if (name.isBlank() || !name.equals(name.strip())) {
            throw bad("has a name that begins or ends with a space");
        }
        if (name.length() > LONGEST_NAME) {
            throw bad("has a name of more than " + LONGEST_NAME + " characters");
        }
    }

    private static WorkspaceException bad(String what) {
        return new WorkspaceException(WorkspaceException.Kind.INVALID_PATH, "the path " + what);
    }

    boolean isRoot() {
        return value.equals("/");
    }

    /** The beginning that the paths of all files in this folder have. */
    String prefix() {
        return isRoot() ? value : value + "/";
    }

    /** The folders that it is in, but the root. */
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
