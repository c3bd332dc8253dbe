package dev.parley.sessions.archive;

import dev.parley.domain.Coded;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.access.ProjectRecords;
import dev.parley.sessions.archive.ProjectFile.Who;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Accounts of a host by username, the only identifier that is the same in two installations. */
final class Usernames {
    private final Map<String, UUID> here = new HashMap<>();

    Usernames(AccessFollower directory, UUID host) {
        directory.accounts(host).forEach(account -> here.put(normalize(account.name()), account.user()));
    }

    private static String normalize(String username) {
        return username.toLowerCase(Locale.ROOT);
    }

    /** Maps user ids of the archive to ids here, for known usernames. */
    Map<String, String> ids(Map<String, String> usernames) {
        var ids = new HashMap<String, String>();
        usernames.forEach((id, username) -> {
            UUID user = here.get(normalize(username));
            if (user != null) {
                ids.put(id, user.toString());
            }
        });
        return ids;
    }

    /**
     * Adds the members that exist here to the project. The owner becomes an administrator.
     *
     * @return usernames that do not exist here
     */
    List<String> addMembers(List<Who> members, Project project, Optional<ProjectRecords> records, UUID importer) {
        var unknown = new ArrayList<String>();
        for (Who member : members) {
            UUID user = here.get(normalize(member.username()));
            if (user == null) {
                unknown.add(member.username());
            } else {
                records.ifPresent(control -> control.admit(project, user, role(member), rules(member), importer));
            }
        }
        return unknown;
    }

    private static ProjectRole role(Who member) {
        return Coded.of(ProjectRole.class, member.role())
                .map(role -> role == ProjectRole.OWNER ? ProjectRole.ADMIN : role)
                .orElse(ProjectRole.VIEWER);
    }

    private static List<Rule> rules(Who member) {
        return member.rules().entrySet().stream()
                .map(rule -> new Rule(rule.getKey(), rule.getValue().equals("allow")))
                .toList();
    }
}
