package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import tools.jackson.databind.JsonNode;

/** The tool {@code file_edit}: replaces a text in a file. */
record FileEditTool(Workspaces workspaces) implements Tool {
    private static final ToolSpec SPEC = FileTools.spec(
            "file_edit",
            "Replaces a text in a file of the project's workspace by another one. The old text must occur exactly once, "
                    + "unless replace_all is true; it may have several lines.",
            "path",
            ToolAccess.WRITE,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root, such as /notes/today.md"},\
            %s},\
            "required":["path","old_text","new_text"],"additionalProperties":false}""".formatted(TextReplacement.PROPERTIES));

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        var replacement = TextReplacement.of(arguments);
        return FileTools.run(workspaces, call, workspace -> {
            FilePath path = FilePath.file(arguments.get("path").asString());
            FileVersion version = workspace.edit(path, replacement::apply, Precondition.NONE, FileTools.author(call));
            return FileTools.changed("Changed", workspace, version);
        });
    }
}
