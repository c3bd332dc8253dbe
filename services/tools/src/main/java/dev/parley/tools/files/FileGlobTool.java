package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
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
            "Lists files of the project's workspace by a pattern of their paths, with sizes in bytes and what is noted of them.",
            "folder",
            ToolAccess.READ,
            """
            {"type":"object","properties":{\
            "folder":{"type":"string","description":"Where to look, such as /src; / for everywhere"},\
            "pattern":{"type":"string","description":\
            "From the folder: ** across folders, * within a name, {a,b} one of these. **/*.md; without a slash a name in any folder"},\
            "type":{"type":"string","description":"Only files of this media type, such as text/markdown or image/*"}},\
            "required":["folder","pattern"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return FileTools.tell(workspaces, call, workspace -> {
            FilePath folder = FilePath.folder(arguments.get("folder").asString());
            var glob = new Glob(folder, arguments.get("pattern").asString());
            String type = arguments.has("type") ? arguments.get("type").asString() : null;
            List<FileInfo> found =
                    workspace.select(folder.prefix(), new FileFilter(glob, type, null, null), "", MOST + 1);
            if (found.isEmpty()) {
                return "No file matches.";
            }
            return found.stream().limit(MOST).map(FileGlobTool::line).collect(Collectors.joining("\n"))
                    + (found.size() > MOST ? "\n[there are more; narrow the pattern]" : "");
        });
    }

    private static String line(FileInfo file) {
        String noted = file.metadata().isEmpty() ? "" : " " + file.metadata().json();
        return file.path() + " (" + file.size() + ")" + noted;
    }
}
