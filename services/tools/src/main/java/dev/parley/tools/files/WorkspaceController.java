package dev.parley.tools.files;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import dev.parley.tools.files.FileJson.ChangeJson;
import dev.parley.tools.files.FileJson.DescribeJson;
import dev.parley.tools.files.FileJson.RevertJson;
import dev.parley.tools.files.FileJson.VersionJson;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The files of a workspace over HTTP. */
@Controller("/v1/projects/{project}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.tools", value = "true", beans = Workspaces.class)
@Tag(name = "Workspace", description = "Files of a project, which its agents and users change.")
class WorkspaceController {
    private static final String FORM = "application/x-www-form-urlencoded";

    /** The metadata of a file as JSON in ASCII, beside its bytes. */
    private static final String METADATA = "File-Metadata";

    private final WorkspaceRequests requests;

    WorkspaceController(Workspaces workspaces) {
        this.requests = new WorkspaceRequests(workspaces);
    }

    /**
     * List files. Files ordered by path. Folders exist only as parts of paths.
     *
     * @param prefix Prefix of the paths, such as /notes/.
     * @param glob Pattern of the paths: ** across folders, * within a name, {a,b} alternatives.
     * @param type Media type, such as text/markdown, or a range, such as image/*.
     * @param metadata Metadata in the form name=value, such as status=draft.
     * @param deleted If true, lists deleted files, ordered by path and id.
     * @return A page of files.
     */
    @Get("/files")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "listFiles")
    Page<FileJson> files(
            @PathVariable String project,
            @Nullable @QueryValue String prefix,
            @Nullable @QueryValue String glob,
            @Nullable @QueryValue String type,
            @Nullable @QueryValue String metadata,
            @Nullable @QueryValue Boolean deleted,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Objects.requireNonNullElse(Cursor.parse(cursor), new Cursor("", new UUID(0, 0).toString()));
        String pathPrefix = "/" + (prefix == null ? "" : prefix.startsWith("/") ? prefix.substring(1) : prefix);
        if (Boolean.TRUE.equals(deleted) && (glob != null || type != null || metadata != null)) {
            throw ApiException.badRequest(
                    "invalid_value", "'glob', 'type' and 'metadata' cannot be combined with 'deleted'; use 'prefix'");
        }
        List<FileInfo> found = requests.run(
                caller,
                Capability.FILE_READ,
                project,
                workspace -> Boolean.TRUE.equals(deleted)
                        ? workspace.deleted(pathPrefix, after.first(), after.id(), max + 1)
                        : workspace.select(pathPrefix, FileFilter.of(glob, type, metadata), after.first(), max + 1));
        return Page.of(found, max, FileJson::of, file -> Cursor.of(file.path(), file.id()));
    }

    /**
     * Get a file. Content of the current version or of the given version.
     *
     * @param file Id of the file in place of its path; also finds deleted files.
     * @return The content; ETag is the version, File-Metadata is the metadata as a JSON object.
     */
    @Get("/files/content")
    @RequiresCapability(Capability.FILE_READ)
    @Produces(MediaType.ALL)
    @Operation(operationId = "getFile")
    HttpResponse<byte[]> content(
            @PathVariable String project,
            @Nullable @QueryValue String path,
            @Nullable @QueryValue UUID file,
            @Nullable @QueryValue Integer version,
            Caller caller) {
        return requests.run(caller, Capability.FILE_READ, project, workspace -> {
            FileInfo fileInfo = WorkspaceRequests.find(workspace, path, file);
            if (version == null && fileInfo.deletedAt() != null) {
                throw ApiException.notFound("unknown_file", "The file is deleted; name one of its versions");
            }
            int requestedVersion = version == null ? fileInfo.version() : version;
            FileData content = workspace.read(fileInfo.id(), requestedVersion);
            FileMetadata metadata = metadata(workspace, fileInfo, requestedVersion);
            return HttpResponse.ok(content.bytes())
                    .contentType(contentType(content))
                    .header(HttpHeaders.ETAG, IfMatch.tag(requestedVersion))
                    .header(METADATA, metadata.json())
                    .header(HttpHeaders.CONTENT_DISPOSITION, "attachment") // never rendered as a page of this site
                    .header("X-Content-Type-Options", "nosniff")
                    .header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
        });
    }

    private static String contentType(FileData content) {
        Charset charset = content.charset();
        return charset == null
                ? MediaType.APPLICATION_OCTET_STREAM
                : "text/plain;charset=" + charset.name().toLowerCase(Locale.ROOT);
    }

    private static FileMetadata metadata(Workspace workspace, FileInfo file, int version) {
        return version == file.version()
                ? file.metadata()
                : workspace
                        .version(file.id(), version)
                        .map(FileVersion::metadata)
                        .orElse(FileMetadata.NONE);
    }

    /**
     * Write a file. The body is the content. For an existing file it requires If-Match with the ETag that was read.
     *
     * @param metadata Metadata as an ASCII JSON object. Defaults to that of the previous version.
     */
    @MaxBody(BodySize.FILES)
    @Put("/files/content")
    @RequiresCapability(Capability.FILE_WRITE)
    @Consumes(MediaType.ALL)
    @Operation(operationId = "writeFile")
    @RequestBody(
            description = "Content of the file; at most 16 MiB.",
            content =
                    @io.swagger.v3.oas.annotations.media.Content(
                            mediaType = "application/octet-stream",
                            schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "201", description = "The file was created.")
    @ApiResponse(responseCode = "200", description = "The next version of an existing file was created.")
    @ApiResponse(responseCode = "412", description = "The file has another version; nothing was changed.")
    HttpResponse<VersionJson> write(
            @PathVariable String project,
            @QueryValue String path,
            HttpRequest<byte[]> request,
            @Nullable @Header("Content-Type") String type,
            @Nullable @Header(METADATA) String metadata,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        FileData content = FileData.of(request.getBody().orElseGet(() -> new byte[0]));
        String mime = type == null || type.startsWith(FORM) ? null : type;
        return created(requests.run(
                caller,
                Capability.FILE_WRITE,
                project,
                workspace -> workspace.write(
                        FilePath.file(path),
                        content,
                        mime,
                        metadata == null ? null : FileMetadata.read(metadata),
                        WorkspaceRequests.requireIfMatch(ifMatch),
                        WorkspaceRequests.author(caller))));
    }

    /**
     * Update a file's metadata. Creates a version with the same content and the given metadata, which replaces all
     * previous metadata. Requires If-Match with the ETag that was read.
     *
     * @return The new version.
     */
    @Patch("/files")
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(operationId = "describeFile")
    @ApiResponse(responseCode = "412", description = "The file has another version; nothing was changed.")
    HttpResponse<VersionJson> describe(
            @PathVariable String project,
            @QueryValue String path,
            @Body DescribeJson body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        Map<String, @Nullable Object> metadata = body.metadata();
        if (metadata == null) {
            throw ApiException.badRequest("missing_field", "The field 'metadata' is required; {} for none");
        }
        return created(requests.run(
                caller,
                Capability.FILE_WRITE,
                project,
                workspace -> workspace.describe(
                        FilePath.file(path),
                        FileMetadata.of(metadata),
                        WorkspaceRequests.requireIfMatch(ifMatch),
                        WorkspaceRequests.author(caller))));
    }

    private static HttpResponse<VersionJson> created(FileVersion version) {
        HttpStatus status = version.version() == 1 ? HttpStatus.CREATED : HttpStatus.OK;
        return HttpResponse.status(status)
                .header(HttpHeaders.ETAG, IfMatch.tag(version.version()))
                .body(VersionJson.of(version));
    }

    /** Delete a file. The versions of the file are kept; its path can be reused. */
    @Delete("/files/content")
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(operationId = "deleteFile")
    @ApiResponse(responseCode = "204", description = "The file was deleted.")
    HttpResponse<Void> delete(
            @PathVariable String project,
            @QueryValue String path,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        requests.run(
                caller,
                Capability.FILE_WRITE,
                project,
                workspace -> workspace.delete(
                        FilePath.file(path),
                        WorkspaceRequests.checkIfMatch(ifMatch),
                        WorkspaceRequests.author(caller)));
        return HttpResponse.noContent();
    }

    /**
     * List a file's versions. Versions with their authors, newest first.
     *
     * @param file Id of the file in place of its path; also finds deleted files.
     * @return A page of versions.
     */
    @Get("/files/versions")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "listFileVersions")
    Page<VersionJson> versions(
            @PathVariable String project,
            @Nullable @QueryValue String path,
            @Nullable @QueryValue UUID file,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        int before = after == null ? Integer.MAX_VALUE : after.secondNumber();
        List<FileVersion> found = requests.run(
                caller,
                Capability.FILE_READ,
                project,
                workspace -> workspace.versions(
                        WorkspaceRequests.find(workspace, path, file).id(), before, max + 1));
        return Page.of(found, max, VersionJson::of, version -> Cursor.of(version.file(), version.version()));
    }

    /**
     * Compare two versions of a text. A unified diff; empty if the versions are equal.
     *
     * @param file Id of the file in place of its path; also finds deleted files.
     * @param from Number of the old version; 0 for an empty file.
     * @param to Number of the new version. Defaults to the newest.
     * @return The diff.
     */
    @Get("/files/diff")
    @RequiresCapability(Capability.FILE_READ)
    @Produces(MediaType.TEXT_PLAIN)
    @Operation(operationId = "compareFileVersions")
    String diff(
            @PathVariable String project,
            @Nullable @QueryValue String path,
            @Nullable @QueryValue UUID file,
            @QueryValue int from,
            @Nullable @QueryValue Integer to,
            Caller caller) {
        return requests.run(caller, Capability.FILE_READ, project, workspace -> {
            FileInfo fileInfo = WorkspaceRequests.find(workspace, path, file);
            return workspace.diff(fileInfo, from, to == null ? fileInfo.version() : to);
        });
    }

    /**
     * Restore a version. Restores the content of a version as the next version. If the path has no file, its last
     * deleted file is restored.
     *
     * @return The new version.
     */
    @Post("/files/revert")
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(operationId = "revertFile")
    HttpResponse<VersionJson> revert(
            @PathVariable String project,
            @Body RevertJson body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        String path = body.path();
        Integer version = body.version();
        if (path == null || version == null) {
            throw ApiException.badRequest("missing_field", "The fields 'path' and 'version' are required");
        }
        return created(requests.run(
                caller,
                Capability.FILE_WRITE,
                project,
                workspace -> workspace.revert(
                        FilePath.file(path),
                        version,
                        WorkspaceRequests.checkIfMatch(ifMatch),
                        WorkspaceRequests.author(caller))));
    }

    /**
     * List a turn's file changes. Changes ordered by step and path, with the hashes before and after. A diff of the
     * versions shows the changed text.
     *
     * @return All changes in one page; at most 10,000 versions are read.
     */
    @Get("/turns/{turn}/changes")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "listTurnChanges")
    Page<ChangeJson> changes(@PathVariable String project, @PathVariable UUID turn, Caller caller) {
        return new Page<>(
                requests.run(caller, Capability.FILE_READ, project, workspace -> workspace.changes(turn)).stream()
                        .map(ChangeJson::of)
                        .toList(),
                null);
    }
}
