package dev.parley.tools.files;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.Ids;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.FunctionTool;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tools for the workspace of a project. All are idempotent: a redelivered call creates no second version of a file.
 */
public final class FileTools {
    private static final int MAX_LISTED = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private FileTools() {}

    /** The work of a call in a workspace. */
    @FunctionalInterface
    interface Work<T> {
        T run(Workspace workspace) throws InterruptedException;
    }

    /** All workspace tools. */
    public static List<Tool> all(Workspaces workspaces) {
        return List.of(
                read(workspaces),
                write(workspaces),
                edit(workspaces),
                delete(workspaces),
                glob(workspaces),
                new FileGrepTool(workspaces),
                revert(workspaces));
    }

    /** Returns numbered lines of a text file. */
    private static Tool read(Workspaces workspaces) {
        ToolSpec spec = spec(
                "file_read",
                "Reads a text file of the project's workspace. Each line is prefixed with its number and a tab, which are not part of it.",
                "path",
                ToolAccess.READ,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Absolute path, such as /notes/today.md."},\
            %s},\
            "required":["path"],"additionalProperties":false}""".formatted(NumberedLines.PROPERTIES));
        return new FunctionTool(
                spec,
                (call, arguments) -> text(workspaces, call, workspace -> {
                    Workspace.Read read =
                            workspace.read(FilePath.file(arguments.get("path").asText()));
                    return NumberedLines.of(arguments).show(read.file().path(), Workspace.text(read));
                }));
    }

    /** Writes a complete text file. */
    private static Tool write(Workspaces workspaces) {
        ToolSpec spec = spec(
                "file_write",
                "Creates or overwrites a text file in the project's workspace; missing folders are created. "
                        + "Use file_edit to change parts of a file.",
                "path",
                ToolAccess.WRITE,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Absolute path, such as /notes/today.md."},\
            "content":{"type":"string","description":"Complete content of the file, at most 8 MiB."},\
            "metadata":{"type":"object","additionalProperties":{"type":["string","number","boolean"]},"maxProperties":32,"description":\
            "Metadata of the file, such as its status or source. Defaults to the existing metadata."}},\
            "required":["path","content"],"additionalProperties":false}""");
        return new FunctionTool(spec, (call, arguments) -> write(workspaces, call, arguments));
    }

    private static ToolOutput write(Workspaces workspaces, ToolCallContext call, JsonNode arguments)
            throws InterruptedException {
        return run(workspaces, call, workspace -> {
            FilePath path = FilePath.file(arguments.get("path").asText());
            FileData content = FileData.of(arguments.get("content").asText());
            Workspace.requireSize(content, Workspace.MAX_TEXT);
            FileVersion version =
                    workspace.write(path, content, null, metadata(arguments), Precondition.NONE, author(call));
            return changeOutput("Wrote", workspace, version);
        });
    }

    /** Replaces a text in a file. */
    private static Tool edit(Workspaces workspaces) {
        ToolSpec spec = spec(
                "file_edit",
                "Replaces text in a file of the project's workspace. old_text must occur exactly once, "
                        + "unless replace_all is true; it may span lines.",
                "path",
                ToolAccess.WRITE,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Absolute path, such as /notes/today.md."},\
            %s},\
            "required":["path","old_text","new_text"],"additionalProperties":false}""".formatted(TextReplacement.PROPERTIES));
        return new FunctionTool(
                spec,
                (call, arguments) -> run(workspaces, call, workspace -> {
                    FilePath path = FilePath.file(arguments.get("path").asText());
                    FileVersion version =
                            workspace.edit(path, TextReplacement.of(arguments)::apply, Precondition.NONE, author(call));
                    return changeOutput("Changed", workspace, version);
                }));
    }

    /** Deletes a file; its versions are kept. */
    private static Tool delete(Workspaces workspaces) {
        ToolSpec spec =
                spec("file_delete", "Deletes a file of the project's workspace.", "path", ToolAccess.WRITE, """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Absolute path, such as /notes/today.md."}},\
            "required":["path"],"additionalProperties":false}""");
        return new FunctionTool(
                spec,
                (call, arguments) -> run(workspaces, call, workspace -> {
                    FilePath path = FilePath.file(arguments.get("path").asText());
                    return changeOutput("Deleted", workspace, workspace.delete(path, Precondition.NONE, author(call)));
                }));
    }

    /** Lists the files whose paths match a pattern. */
    private static Tool glob(Workspaces workspaces) {
        ToolSpec spec = spec(
                "file_glob",
                "Lists files of the project's workspace whose paths match a pattern, with their sizes in bytes and metadata.",
                "folder",
                ToolAccess.READ,
                """
            {"type":"object","properties":{\
            "folder":{"type":"string","description":"Folder to search, such as /src. Use / for all."},\
            "pattern":{"type":"string","description":\
            "Glob relative to the folder, such as **/*.md: ** crosses folders, * stays within a name, {a,b} matches either. Without a slash it matches names in any folder."},\
            "type":{"type":"string","description":"Only files of this media type, such as text/markdown or image/*."}},\
            "required":["folder","pattern"],"additionalProperties":false}""");
        return new FunctionTool(
                spec, (call, arguments) -> text(workspaces, call, workspace -> glob(workspace, arguments)));
    }

    private static String glob(Workspace workspace, JsonNode arguments) {
        FilePath folder = FilePath.folder(arguments.get("folder").asText());
        var glob = new Glob(folder, arguments.get("pattern").asText());
        String type = arguments.has("type") ? arguments.get("type").asText() : null;
        return listing(workspace.select(folder.prefix(), new FileFilter(glob, type, null, null), "", MAX_LISTED + 1));
    }

    private static String listing(List<FileInfo> found) {
        if (found.isEmpty()) {
            return "No file matches.";
        }
        return found.stream().limit(MAX_LISTED).map(FileTools::line).collect(Collectors.joining("\n"))
                + (found.size() > MAX_LISTED ? "\n[there are more; narrow the pattern]" : "");
    }

    private static String line(FileInfo file) {
        String metadata = file.metadata().isEmpty() ? "" : " " + file.metadata().json();
        return file.path() + " (" + file.size() + ")" + metadata;
    }

    /** Reverts files for the turn machine, which undoes turns. Hidden from models. */
    private static Tool revert(Workspaces workspaces) {
        ToolSpec spec = spec(ToolSpec.FILES_REVERT, "Restores files that turns changed.", "", ToolAccess.WRITE, """
            {"type":"object","properties":{\
            "takeBack":{"type":"array","items":{"type":"string","format":"uuid"}},\
            "bringBack":{"type":"array","items":{"type":"string","format":"uuid"}}},\
            "minProperties":1,"maxProperties":1,"additionalProperties":false}""");
        return new FunctionTool(spec, (call, arguments) -> {
            var author = new Author.Person(call.user() == null ? call.agent() : call.user());
            return text(
                    workspaces,
                    call,
                    workspace -> JsonMappers.shared()
                            .valueToTree(
                                    arguments.has("takeBack")
                                            ? workspace.revertTurns(
                                                    call.callId(), ids(arguments.get("takeBack")), author)
                                            : workspace.undoReversions(
                                                    call.callId(), ids(arguments.get("bringBack")), author))
                            .toString());
        });
    }

    private static List<UUID> ids(JsonNode array) {
        return array.valueStream().map(id -> Ids.parse(id.asText())).toList();
    }

    /** @param pathArgument name of the argument with the path, which permission rules check; empty for none */
    static ToolSpec spec(String name, String description, String pathArgument, ToolAccess access, String parameters) {
        return new ToolSpec(
                        name,
                        description,
                        parameters,
                        ToolEffect.IDEMPOTENT,
                        TIMEOUT,
                        new About(Subject.Kind.PATH, pathArgument))
                .with(access);
    }

    /** Runs work that returns a text in the workspace of the call's project; failures are reported to the model. */
    static ToolOutput text(Workspaces workspaces, ToolCallContext call, Work<String> work) throws InterruptedException {
        return run(workspaces, call, workspace -> ToolOutput.of(work.run(workspace)));
    }

    /** Runs work in the workspace of the call's project; failures are reported to the model. */
    static ToolOutput run(Workspaces workspaces, ToolCallContext call, Work<ToolOutput> work)
            throws InterruptedException {
        try {
            return work.run(workspaces.of(call.host(), call.project()));
        } catch (WorkspaceException e) {
            return new ToolOutput.Failed(e.getMessage());
        }
    }

    static Author author(ToolCallContext call) {
        return new Author.Call(call.agent(), call.sessionId(), call.turnId(), call.top(), call.step(), call.callId());
    }

    /** The metadata in the arguments, or null to keep the previous metadata. */
    static @Nullable FileMetadata metadata(JsonNode arguments) {
        JsonNode metadata = arguments.get("metadata");
        return metadata == null || metadata.isNull() ? null : FileMetadata.read(metadata.toString());
    }

    static ToolOutput changeOutput(String verb, Workspace workspace, FileVersion version) {
        String text = version.deletes()
                ? "%s %s".formatted(verb, version.path())
                : "%s %s: version %d, %d bytes".formatted(verb, version.path(), version.version(), version.size());
        return new ToolOutput.Text(text, List.of(workspace.patch(version)));
    }
}
