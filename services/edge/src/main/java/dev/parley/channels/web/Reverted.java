package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of a revert or unrevert, including the files.
 *
 * @param key Key of the session.
 * @param project Key of the project.
 * @param restored Paths of the restored files; null while unknown.
 * @param left Files that were not changed.
 * @param more Number of files that are not listed.
 * @param problem Reason why no file was restored; null otherwise.
 */
@Serdeable
@Schema(name = "Reverted")
record Reverted(
        String key,
        String project,
        @Nullable List<String> restored,
        List<Left> left,
        int more,
        @Nullable String problem) {
    private static final JsonMapper JSON = JsonMappers.shared3();

    /**
     * A file that was not changed.
     *
     * @param why Reason why the file was not changed.
     */
    @Serdeable
    @Schema(name = "FileLeft")
    record Left(String path, String why) {}

    /** The files are being restored. */
    static Reverted pending(RecordKey session) {
        return new Reverted(session.session(), session.project(), null, List.of(), 0, null);
    }

    static Reverted of(RecordKey session, Outcome.Reverted outcome) {
        if (!outcome.isDone()) {
            String problem = outcome.files().replaceFirst("^error: ", "");
            return new Reverted(session.session(), session.project(), List.of(), List.of(), 0, problem);
        }
        JsonNode files = JSON.readTree(outcome.files());
        var restored = new ArrayList<String>();
        files.path("restored").forEach(path -> restored.add(path.asString()));
        var left = new ArrayList<Left>();
        files.path("left")
                .forEach(file -> left.add(
                        new Left(file.path("path").asString(), file.path("why").asString())));
        return new Reverted(
                session.session(),
                session.project(),
                restored,
                left,
                files.path("more").asInt(0),
                null);
    }
}
