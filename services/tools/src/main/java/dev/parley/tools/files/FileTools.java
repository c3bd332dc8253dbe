package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The tools by which agents work in the workspace of their project. All may simply run again: a call makes one version of a file, however
 * often it runs.
 */
public final class FileTools {
    /** Lines of a text that are shown at once. */
    public static final int MOST_LINES = 2_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private FileTools() {}

    /** What a tool does in a workspace. */
    @FunctionalInterface
    interface Work {
        ToolOutput in(Workspace workspace) throws InterruptedException;
    }

    /** One of each. */
    public static List<Tool> all(Workspaces workspaces) {
        return List.of(
                new FileReadTool(workspaces),
                new FileWriteTool(workspaces),
                new FileEditTool(workspaces),
                new FileDeleteTool(workspaces),
                new FileGlobTool(workspaces),
                new FileGrepTool(workspaces),
                new FilesRevertTool(workspaces));
    }

    /** @param about the argument that is a path, which rules look at */
    static ToolSpec spec(String name, String description, String about, ToolAccess access, String parameters) {
        return new ToolSpec(
                        name,
                        description,
                        parameters,
                        ToolEffect.IDEMPOTENT,
                        TIMEOUT,
                        new About(Subject.Kind.PATH, about))
                .with(access);
    }

    /** What a tool finds in a workspace, in words. */
    @FunctionalInterface
    interface Reading {
        String in(Workspace workspace) throws InterruptedException;
    }

    /** Reads in the workspace of the call's project; what cannot be done the model is told. */
    static ToolOutput tell(Workspaces workspaces, ToolCallContext call, Reading reading) throws InterruptedException {
        return run(workspaces, call, workspace -> ToolOutput.of(reading.in(workspace)));
    }

    /** Does it in the workspace of the call's project; what cannot be done the model is told. */
    static ToolOutput run(Workspaces workspaces, ToolCallContext call, Work work) throws InterruptedException {
        try {
            return work.in(workspaces.of(call.host(), call.project()));
        } catch (WorkspaceException e) {
            return new ToolOutput.Failed(e.getMessage());
        }
    }

    /** Lines of a text as a model is shown them, with their numbers. @throws WorkspaceException where there are not so many */
    public static String lines(String path, String text, int offset, int limit) {
        return FileReadTool.shown(path, text, offset, limit);
    }

    /** The text with one text in the place of another. @throws WorkspaceException when it is not clear where */
    public static String replaced(String text, String old, String with, boolean everywhere) {
        return FileEditTool.replaced(text, old, with, everywhere);
    }

    static Author author(ToolCallContext call) {
        return new Author.Call(call.agent(), call.sessionId(), call.turnId(), call.top(), call.step(), call.callId());
    }

    /** What a call notes of a file, or null for what was noted before. */
    static @Nullable FileMetadata metadata(JsonNode arguments) {
        JsonNode given = arguments.get("metadata");
        return given == null || given.isNull() ? null : FileMetadata.read(given.toString());
    }

    /** What a change came to. */
    static ToolOutput told(String what, Workspace workspace, FileVersion made) {
        String told = made.deletes()
                ? "%s %s".formatted(what, made.path())
                : "%s %s: version %d, %d bytes".formatted(what, made.path(), made.version(), made.size());
        return new ToolOutput.Text(told, List.of(workspace.patch(made)));
    }
}
