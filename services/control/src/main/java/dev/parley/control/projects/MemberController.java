package dev.parley.control.projects;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.Coded;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Routes of a project's members. */
@Controller("/v1/projects/{project}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Projects", description = "Projects and their members.")
class MemberController {
    /** Roles that workflow tasks are assigned to, besides the roles of members. */
    private static final Pattern TASK_ROLE = Pattern.compile(Member.TASK_ROLE + "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

    private final Members members;

    MemberController(Members members) {
        this.members = members;
    }

    /**
     * A new member, given by id, by username or by e-mail address.
     *
     * @param role Role: admin, member or viewer. Defaults to member.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Invitation")
    record InvitationJson(
            @Nullable UUID user,
            @Nullable String username,
            @Nullable String email,
            @Nullable String role,
            @Schema(type = "object") @Nullable JsonNode permissions) {}

    /** Changes of a member. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "MemberChange")
    record ChangeJson(
            @Nullable String role,

            @Schema(
                    description = "Permissions by capability or task role, such as {\"session.create\": "
                            + "\"allow\", \"file.write\": \"deny\", \"role:clerk\": \"allow\"}",
                    type = "object")
            @Nullable
            JsonNode permissions) {}

    /** New owner of the project. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Transfer")
    record TransferJson(@Nullable UUID user) {}

    /** Members of a project. */
    @Serdeable
    @Schema(name = "MemberList")
    record MembersJson(List<MemberJson> data) {}

    /**
     * List members. Members of the project, in the order in which they joined.
     *
     * @param includeInactive True to include removed members; requires the capability member.manage.
     */
    @Get("/members")
    @RequiresCapability(Capability.MEMBER_READ)
    MembersJson list(@PathVariable String project, @Nullable @QueryValue Boolean includeInactive, Caller caller) {
        boolean inactive = Boolean.TRUE.equals(includeInactive);
        var target = caller.require(inactive ? Capability.MEMBER_MANAGE : Capability.MEMBER_READ, project);
        return new MembersJson(members.list(caller, target, inactive));
    }

    /** Add a member. Adds a user of the host to the project. */
    @Post("/members")
    @RequiresCapability(Capability.MEMBER_MANAGE)
    @ApiResponse(responseCode = "201", description = "The member was added.")
    @ApiResponse(responseCode = "403", description = "The member would have rights that the caller does not have.")
    @ApiResponse(responseCode = "409", description = "The user is already a member.")
    HttpResponse<MemberJson> add(@PathVariable String project, @Body InvitationJson body, Caller caller) {
        String name = body.username() == null ? body.email() : body.username();
        if (body.user() == null && (name == null || name.isBlank())) {
            throw ApiException.badRequest(
                    "missing_field", "One of the fields 'user', 'username' and 'email' is required");
        }
        return withETag(
                HttpResponse::created,
                members.add(
                        caller,
                        caller.require(Capability.MEMBER_MANAGE, project),
                        body.user(),
                        name,
                        role(body.role() == null ? "member" : body.role()),
                        body.permissions() == null ? "{}" : permissions(caller, project, body.permissions())));
    }

    private static HttpResponse<MemberJson> withETag(
            Function<MemberJson, MutableHttpResponse<MemberJson>> status, MemberJson member) {
        return status.apply(member).header("ETag", IfMatch.tag(member.version()));
    }

    private static String role(String code) {
        return Coded.of(ProjectRole.class, code)
                .filter(role -> role != ProjectRole.OWNER)
                .map(ProjectRole::code)
                .orElseThrow(() -> Checks.invalid("role", "must be admin, member or viewer"));
    }

    private static String permissions(Caller caller, String project, JsonNode json) {
        if (!json.isObject()) {
            throw Checks.invalid("permissions", "must be an object such as {\"session.create\": \"allow\"}");
        }
        for (Map.Entry<String, JsonNode> rule : json.entries()) {
            check(caller, project, rule.getKey(), rule.getValue());
        }
        return JsonColumns.text(json);
    }

    private static void check(Caller caller, String project, String name, JsonNode effect) {
        boolean role = isTaskRole(name);
        Optional<Capability> capability = Capability.of(name).filter(Capability::inProject);
        if (!role && capability.isEmpty()) {
            throw Checks.invalid(
                    "permissions",
                    "names '" + name
                            + "', which is neither a project capability nor a task role such as role:claims-adjuster");
        }
        if (!effect.isString() || !List.of("allow", "deny").contains(effect.getStringValue())) {
            throw Checks.invalid("permissions", "must have \"allow\" or \"deny\" for each capability");
        }
        if (name.equals(Capability.PROJECT_DELETE.code())
                && effect.getStringValue().equals("allow")) {
            caller.require(Capability.PROJECT_DELETE, project);
            throw Checks.invalid("permissions", "cannot grant project.delete: transfer the project instead");
        }
    }

    /** Whether a permission is a task role. Names of built-in roles are rejected. */
    private static boolean isTaskRole(String rule) {
        if (!TASK_ROLE.matcher(rule).matches()) {
            return false;
        }
        String name = rule.substring(Member.TASK_ROLE.length());
        if (Coded.of(ProjectRole.class, name).isPresent()
                || Set.of(HumanTask.LEADER, HumanTask.ADMINISTRATOR).contains(name)) {
            throw Checks.invalid("permissions", "cannot grant " + rule + ": it follows from a person's role");
        }
        return true;
    }

    /**
     * Update a member. Requires If-Match with the ETag that was read.
     *
     * @return The member.
     */
    @Put("/members/{user}")
    @RequiresCapability(Capability.MEMBER_MANAGE)
    @ApiResponse(
            responseCode = "403",
            description = "The owner can be changed only by transfer; nobody adds to their own rights, gives rights "
                    + "that they do not have, or changes those who have more.")
    HttpResponse<MemberJson> change(
            @PathVariable String project,
            @PathVariable UUID user,
            @Body ChangeJson body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return withETag(
                HttpResponse::ok,
                members.change(
                        caller,
                        caller.require(Capability.MEMBER_MANAGE, project),
                        user,
                        body.role() == null ? null : role(body.role()),
                        body.permissions() == null ? null : permissions(caller, project, body.permissions()),
                        ifMatch));
    }

    /** Remove a member. The owner cannot be removed. Adding a removed member again restores the member. */
    @Delete("/members/{user}")
    @RequiresCapability(Capability.MEMBER_MANAGE)
    @ApiResponse(responseCode = "204", description = "The member was removed.")
    HttpResponse<Void> remove(
            @PathVariable String project,
            @PathVariable UUID user,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        members.remove(caller, caller.require(Capability.MEMBER_MANAGE, project), user, ifMatch);
        return HttpResponse.noContent();
    }

    /**
     * Transfer a project. Makes another member the owner; the previous owner becomes admin.
     *
     * @return The new owner.
     */
    @Post("/transfer")
    @RequiresCapability(Capability.PROJECT_DELETE)
    HttpResponse<MemberJson> transfer(@PathVariable String project, @Body TransferJson body, Caller caller) {
        UUID user = body.user();
        if (user == null) {
            throw ApiException.badRequest("missing_field", "The field 'user' is missing");
        }
        return withETag(
                HttpResponse::ok, members.transfer(caller, caller.require(Capability.PROJECT_DELETE, project), user));
    }
}
