package dev.parley.tools.files;

import dev.parley.domain.turn.ToolAccess;
import dev.parley.domain.turn.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Lists the files whose paths match a pattern. */
record FileGlobTool(Workspaces workspaces) implements Tool {
    private static final int MOST = 200;

    private static final ToolSpec SPEC = FileTools.spec(
            "file_glob",
            "Lists files of the project's workspace by a pattern of their paths, with sizes in bytes.",
            "folder",
            ToolAccess.READ,
            """
            {"type":"object","properties":{\
            "folder":{"type":"string","description":"Where to look, such as /src; / for everywhere"},\
            "pattern":{"type":"string","description":\
            "From the folder: ** across folders, * within a name, {a,b} one of these. **/*.md; without a slash a name in any folder"}},\
            "required":["folder","pattern"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return FileTools.tell(workspaces, call, workspace -> {
            FilePath folder = FilePath.folder(arguments.get("folder").asString());
            List<FileInfo> found = workspace.list(
                    folder, new Glob(folder, arguments.get("pattern").asString()), MOST + 1);
            if (found.isEmpty()) {
                return "No file matches.";
            }
            return found.stream()
                            .limit(MOST)
                            .map(file -> file.path() + " (" + file.size() + ")")
                            .collect(Collectors.joining("\n"))
                    + (found.size() > MOST ? "\n[there are more; narrow the pattern]" : "");
        });
    }
}
