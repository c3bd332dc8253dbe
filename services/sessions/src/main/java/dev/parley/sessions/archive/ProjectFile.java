package dev.parley.sessions.archive;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.access.ProjectRecords;
import dev.parley.platform.json.JsonMappers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * {@code project.json}: the project itself. Users are identified by username, the only identifier that other
 * installations know; no credentials are included.
 *
 * @param details properties of the project, a JSON object
 * @param people usernames of the users that events, banks and files name, by id
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ProjectFile(
        String key, String name, boolean archived, JsonNode details, List<Who> members, Map<String, String> people) {
    private static final ObjectMapper JSON = JsonMappers.stored();

    /** A member: role, and capabilities that are allowed or denied regardless of the role. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Who(String username, String role, Map<String, String> rules) {}

    /** Describes a project. */
    static ProjectFile of(
            Project project, AccessFollower directory, Optional<ProjectRecords> records, Iterable<String> ids) {
        return new ProjectFile(
                project.projectKey(),
                project.name(),
                project.archived(),
                records.map(control -> tree(control.details(project))).orElseGet(() -> tree("{}")),
                members(project, directory),
                people(project, directory, ids));
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the details of the project are not valid JSON", e);
        }
    }

    private static List<Who> members(Project project, AccessFollower directory) {
        var members = new ArrayList<Who>();
        for (Member member : directory.members(project.project())) {
            var rules = new LinkedHashMap<String, String>();
            member.rules().forEach(rule -> rules.put(rule.capability(), rule.allow() ? "allow" : "deny"));
            directory
                    .account(project.host(), member.user())
                    .map(Account::name)
                    .ifPresent(name -> members.add(new Who(name, member.role().code(), rules)));
        }
        return members;
    }

    private static Map<String, String> people(Project project, AccessFollower directory, Iterable<String> ids) {
        var people = new TreeMap<String, String>();
        for (String id : ids) {
            uuid(id).flatMap(user -> directory.account(project.host(), user))
                    .ifPresent(account -> people.put(id, account.name()));
        }
        return people;
    }

    private static Optional<UUID> uuid(String text) {
        try {
            return Optional.of(Ids.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // a channel's own user id
        }
    }
}
