package dev.parley.control.projects;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.domain.Coded;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.ProjectRole;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A member of a project.
 *
 * @param role Role: owner, admin, member or viewer.
 * @param active False if the member was removed from the project, or the user was removed.
 */
@Serdeable
@MappedEntity(value = "project_member_t", schema = "control")
@Schema(name = "Member")
record MemberJson(
        @Id @MappedProperty("user_id") UUID user,
        String username,
        @Nullable String avatarUrl,
        String role,

        @Schema(
                description = "Permissions that override the role, such as {\"session.create\": \"allow\"}, and "
                        + "roles to which workflows assign tasks, such as {\"role:clerk\": \"allow\"}.",
                type = "object")
        @TypeDef(type = DataType.JSON)
        JsonNode permissions,

        @MappedProperty("joined_ts") Instant joinedAt,
        @Nullable UUID invitedBy,
        boolean active,
        @JsonIgnore @MappedProperty("aggregate_version") long version) {
    /** The membership, as decisions about rights see it. */
    Member member(Project project) {
        return member(project, user, role, permissions);
    }

    /** A membership with this role and these permissions. */
    static Member member(Project project, UUID user, String role, JsonNode permissions) {
        var rules = new ArrayList<Rule>();
        permissions
                .entries()
                .forEach(rule -> rules.add(
                        new Rule(rule.getKey(), rule.getValue().getStringValue().equals("allow"))));
        return new Member(
                project.host(),
                project.project(),
                user,
                0,
                Coded.of(ProjectRole.class, role).orElseThrow(),
                rules);
    }
}
