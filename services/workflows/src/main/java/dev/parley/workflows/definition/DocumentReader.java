package dev.parley.workflows.definition;

import java.util.regex.Pattern;

/** Reads {@code document}: the name, namespace and version of a definition. */
final class DocumentReader {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,124}[a-zA-Z0-9])?");
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+(?:[-+][0-9A-Za-z.+-]+)?");
    private static final int MAX_VERSION_LENGTH = 20;

    private DocumentReader() {}

    static void check(DefinitionNode document) {
        document.isObject("!dsl", "!namespace", "!name", "!version", "title", "summary", "tags", "metadata");
        String dsl = document.get("dsl").text();
        if (!dsl.isEmpty() && !dsl.startsWith("1.0.")) {
            document.get("dsl").addProblem("version 1.0 of the DSL is supported, not " + dsl);
        }
    }

    static String name(DefinitionNode part) {
        String name = part.text();
        if (!name.isEmpty() && !NAME.matcher(name).matches()) {
            part.addProblem(
                    "'" + name + "' is not a valid name: use letters, digits and dashes, at most 126 characters");
        }
        return name;
    }

    static String version(DefinitionNode part) {
        String version = part.text();
        if (!version.isEmpty() && !VERSION.matcher(version).matches()) {
            part.addProblem("'" + version + "' is not a version such as 1.0.0");
        } else if (version.length() > MAX_VERSION_LENGTH) {
            part.addProblem("a version has at most " + MAX_VERSION_LENGTH + " characters");
        }
        return version;
    }
}
