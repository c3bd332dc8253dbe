package dev.parley.workflows.definition;

/** Reads {@code use.extensions}: tasks that run before and after others. */
final class ExtensionReader {
    private ExtensionReader() {}

    static TaskKind.Extension read(DefinitionReader definition, String name, DefinitionNode part) {
        part.isObject("!extend", "when", "before", "after");
        String extend = part.get("extend")
                .oneOf(
                        "all",
                        TaskReader.words("all call composite do emit for fork listen raise run set switch try wait ask"
                                + " assert"));
        return new TaskKind.Extension(
                name,
                extend,
                definition.optional(part.get("when"), DefinitionReader.VARIABLES),
                part.has("before") ? definition.block(part.get("before"), DefinitionReader.VARIABLES) : null,
                part.has("after") ? definition.block(part.get("after"), DefinitionReader.VARIABLES) : null);
    }
}
