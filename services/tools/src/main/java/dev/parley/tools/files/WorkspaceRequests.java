package dev.parley.tools.files;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import io.micronaut.http.HttpStatus;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the work of HTTP requests in workspaces and maps failures to HTTP errors. */
record WorkspaceRequests(Workspaces workspaces) {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceRequests.class);

    /**
     * Runs work in the workspace of a project.
     *
     * @throws ApiException when the caller lacks the capability, or the work fails
     */
    <T> T run(Caller caller, Capability capability, String project, Function<Workspace, T> work) {
        UUID id = caller.require(capability, project).project();
        try {
            return work.apply(workspaces.of(caller.host(), id));
        } catch (WorkspaceException e) {
            throw problem(e);
        }
    }

    private static ApiException problem(WorkspaceException e) {
        String reason =
                Character.toUpperCase(e.getMessage().charAt(0)) + e.getMessage().substring(1);
        return switch (e.kind()) {
            case INVALID_PATH -> ApiException.badRequest("invalid_path", reason);
            case INVALID -> ApiException.badRequest("invalid_value", reason);
            case UNKNOWN -> ApiException.notFound("unknown_file", reason);
            case CONFLICT -> new ApiException(HttpStatus.CONFLICT, "file_conflict", reason);
            case BINARY -> new ApiException(HttpStatus.CONFLICT, "no_text", reason);
            case TOO_LARGE -> ApiException.tooLarge(reason);
            case TOO_MANY -> new ApiException(HttpStatus.CONFLICT, "too_many", reason);
            case DAMAGED -> damaged(e);
        };
    }

    private static ApiException damaged(WorkspaceException e) {
        LOG.atError().setCause(e).log("file of a workspace is damaged");
        return new ApiException(
                HttpStatus.INTERNAL_SERVER_ERROR, "file_damaged", "The file is damaged: " + e.getMessage());
    }

    static Author author(Caller caller) {
        return new Author.Person(caller.user());
    }

    /** Requires If-Match for an existing file; for a new one it is optional. */
    static Precondition requireIfMatch(@Nullable String ifMatch) {
        return version -> {
            if (version > 0) {
                IfMatch.require(ifMatch, version);
            } else {
                IfMatch.check(ifMatch, version);
            }
        };
    }

    /** Checks If-Match if it is present. */
    static Precondition checkIfMatch(@Nullable String ifMatch) {
        return version -> IfMatch.check(ifMatch, version);
    }

    /** The file that a request names, by its path or by its id, which also finds deleted files. */
    static FileInfo find(Workspace workspace, @Nullable String path, @Nullable UUID file) {
        if (path != null && file == null) {
            return workspace.findAny(FilePath.file(path)).orElseThrow(WorkspaceRequests::unknown);
        }
        if (file != null && path == null) {
            return workspace.find(file).orElseThrow(WorkspaceRequests::unknown);
        }
        throw ApiException.badRequest("missing_parameter", "Name the file by either 'path' or 'file' (its id)");
    }

    private static ApiException unknown() {
        return ApiException.notFound("unknown_file", "There is no such file");
    }
}
