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
import io.swagger.v3.oas.annotations.Parameter;
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

    @Get("/files")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(
            operationId = "listFiles",
            summary = "List files",
            description = "Files ordered by path. Folders exist only as parts of paths.")
    @ApiResponse(responseCode = "200", description = "A page of files.")
    Page<FileJson> files(
            @PathVariable String project,
            @Parameter(description = "Prefix of the paths, such as /notes/.") @Nullable @QueryValue String prefix,
            @Parameter(description = "Pattern of the paths: ** across folders, * within a name, {a,b} alternatives.")
                    @Nullable
                    @QueryValue
                    String glob,
            @Parameter(description = "Media type, such as text/markdown, or a range, such as image/*.")
                    @Nullable
                    @QueryValue
                    String type,
            @Parameter(description = "Metadata in the form name=value, such as status=draft.") @Nullable @QueryValue
                    String metadata,
            @Parameter(description = "If true, lists deleted files, ordered by path and id.") @Nullable @QueryValue
                    Boolean deleted,
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

    @Get("/files/content")
    @RequiresCapability(Capability.FILE_READ)
    @Produces(MediaType.ALL)
    @Operation(
            operationId = "getFile",
            summary = "Get a file",
            description = "Content of the current version or of the given version.")
    @ApiResponse(
            responseCode = "200",
            description = "The content; ETag is the version, File-Metadata is the metadata as a JSON object.")
    HttpResponse<byte[]> content(
            @PathVariable String project,
            @Nullable @QueryValue String path,
            @Parameter(description = "Id of the file in place of its path; also finds deleted files.")
                    @Nullable
                    @QueryValue
                    UUID file,
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

    @MaxBody(BodySize.FILES)
    @Put("/files/content")
    @RequiresCapability(Capability.FILE_WRITE)
    @Consumes(MediaType.ALL)
    @Operation(
            operationId = "writeFile",
            summary = "Write a file",
            description = "The body is the content. For an existing file it requires If-Match with the ETag "
                    + "that was read.")
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
            @Parameter(description = "Metadata as an ASCII JSON object. Defaults to that of the previous version.")
                    @Nullable
                    @Header(METADATA)
                    String metadata,
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

    @Patch("/files")
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(
            operationId = "describeFile",
            summary = "Update a file's metadata",
            description = "Creates a version with the same content and the given metadata, which replaces all "
                    + "previous metadata. Requires If-Match with the ETag that was read.")
    @ApiResponse(responseCode = "200", description = "The new version.")
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

    @Delete("/files/content")
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(
            operationId = "deleteFile",
            summary = "Delete a file",
            description = "The versions of the file are kept; its path can be reused.")
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

    @Get("/files/versions")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(
            operationId = "listFileVersions",
            summary = "List a file's versions",
            description = "Versions with their authors, newest first.")
    @ApiResponse(responseCode = "200", description = "A page of versions.")
    Page<VersionJson> versions(
            @PathVariable String project,
            @Nullable @QueryValue String path,
            @Parameter(description = "Id of the file in place of its path; also finds deleted files.")
                    @Nullable
                    @QueryValue
                    UUID file,
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

    @Get("/files/diff")
    @RequiresCapability(Capability.FILE_READ)
    @Produces(MediaType.TEXT_PLAIN)
    @Operation(
            operationId = "compareFileVersions",
            summary = "Compare two versions of a text",
            description = "A unified diff; empty if the versions are equal.")
    @ApiResponse(responseCode = "200", description = "The diff.")
    String diff(
            @PathVariable String project,
            @Nullable @QueryValue String path,
            @Parameter(description = "Id of the file in place of its path; also finds deleted files.")
                    @Nullable
                    @QueryValue
                    UUID file,
            @Parameter(description = "Number of the old version; 0 for an empty file.") @QueryValue int from,
            @Parameter(description = "Number of the new version. Defaults to the newest.") @Nullable @QueryValue
                    Integer to,
            Caller caller) {
        return requests.run(caller, Capability.FILE_READ, project, workspace -> {
            FileInfo fileInfo = WorkspaceRequests.find(workspace, path, file);
            return workspace.diff(fileInfo, from, to == null ? fileInfo.version() : to);
        });
    }

    @Post("/files/revert")
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(
            operationId = "revertFile",
            summary = "Restore a version",
            description = "Restores the content of a version as the next version. If the path has no file, its "
                    + "last deleted file is restored.")
    @ApiResponse(responseCode = "200", description = "The new version.")
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

    @Get("/turns/{turn}/changes")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(
            operationId = "listTurnChanges",
            summary = "List a turn's file changes",
            description = "Changes ordered by step and path, with the hashes before and after. A diff of the "
                    + "versions shows the changed text.")
    @ApiResponse(responseCode = "200", description = "All changes in one page; at most 10,000 versions are read.")
    Page<ChangeJson> changes(@PathVariable String project, @PathVariable UUID turn, Caller caller) {
        return new Page<>(
                requests.run(caller, Capability.FILE_READ, project, workspace -> workspace.changes(turn)).stream()
                        .map(ChangeJson::of)
                        .toList(),
                null);
    }
}
