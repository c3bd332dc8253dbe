package dev.parley.domain.access;

import dev.parley.domain.definition.Guardrail;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What every process that answers people has to know about them, as it stands on {@code access}. No secrets. */
public sealed interface AccessRecord {
    /** Its key on the topic. */
    String key();

    /** Id of the tenant. */
    UUID host();

    /** Grows with every change. */
    long version();

    /**
     * Somebody in a host.
     *
     * @param admin whether everything in the host is allowed to them
     * @param active whether they may do anything at all
     * @param timeZone as in {@code Europe/Berlin}, or null
     * @param language as in {@code de}, or null
     * @param erasure under which id everything of this person is erased, or null
     */
    record Account(
            UUID host,
            UUID user,
            long version,
            String name,
            boolean admin,
            boolean active,
            @Nullable String timeZone,
            @Nullable String language,
            @Nullable UUID erasure)
            implements AccessRecord {
        @Override
        public String key() {
            return key(host, user);
        }

        /** The key of this person's record. */
        public static String key(UUID host, UUID user) {
            return "account/" + host + "/" + user;
        }
    }

    /**
     * A project.
     *
     * @param projectKey first part of all its record keys
     * @param archived whether nothing may be said in it
     * @param sharedSessions whether all who may read sessions may read those of others
     * @param retentionDays after how many days without a word a session's content is removed, or null for never
     * @param defaultModel the model of agents that are not its own or its host's and have none of theirs, {@code provider/model},
     *     or null
     * @param erasure under which id everything in it is erased, or null
     * @param guardrails of all its agents, before their own
     * @param projectChanges whether what happens in it is copied to the topic {@code project-changes}
     * @param checkout the folder that a local or git project says it has on the machine of its tools, or null
     */
    record Project(
            UUID host,
            UUID project,
            long version,
            String projectKey,
            String name,
            boolean archived,
            boolean sharedSessions,
            @Nullable Integer retentionDays,
            @Nullable String defaultModel,
            @Nullable UUID erasure,
            List<Guardrail> guardrails,
            boolean projectChanges,
            @Nullable String checkout)
            implements AccessRecord {
        public Project {
            guardrails = List.copyOf(guardrails);
        }

        @Override
        public String key() {
            return key(projectKey);
        }

        /** The key of this project's record. */
        public static String key(String projectKey) {
            return "project/" + projectKey;
        }
    }

    /**
     * Somebody in a project.
     *
     * @param rules before what the role says
     */
    record Member(UUID host, UUID project, UUID user, long version, ProjectRole role, List<Rule> rules)
            implements AccessRecord {
        /** What a rule begins with that gives a role to which workflows assign tasks; its name follows. */
        public static final String TASK_ROLE = "role:";

        public Member {
            rules = List.copyOf(rules);
        }

        /** The roles for tasks of workflows: what they are in the project, and those that rules give. */
        public List<String> taskRoles() {
            return Stream.concat(
                            Stream.of(role.code()),
                            rules.stream()
                                    .filter(rule ->
                                            rule.allow() && rule.capability().startsWith(TASK_ROLE))
                                    .map(rule -> rule.capability().substring(TASK_ROLE.length())))
                    .distinct()
                    .toList();
        }

        @Override
        public String key() {
            return key(project, user);
        }

        /** The key of this membership's record. */
        public static String key(UUID project, UUID user) {
            return "member/" + project + "/" + user;
        }

        boolean allows(Capability capability) {
            return rules.stream()
                    .filter(rule -> rule.capability().equals(capability.code()))
                    .map(Rule::allow)
                    .findFirst()
                    .orElseGet(() -> role.allows(capability));
        }
    }

    /** Allows or denies one capability, by its code. */
    record Rule(String capability, boolean allow) {}

    /**
     * What somebody shows to be known: a key of the API, or the token of a sign-in.
     *
     * @param id id of the key or of the sign-in
     * @param prefix the part that may be seen
     * @param hash SHA-256 of all of it, in hexadecimal digits
     * @param project the only project that it opens, or null for all
     * @param permissions codes of the capabilities that it opens; {@code *} stands for all that its user has
     * @param expiresAt when it ends, or null for never
     */
    record AccessKey(
            KeyKind kind,
            UUID host,
            UUID user,
            UUID id,
            long version,
            String prefix,
            String hash,
            @Nullable UUID project,
            List<String> permissions,
            @Nullable Instant expiresAt)
            implements AccessRecord {
        /** All capabilities of its user, but for those that have to be named. */
        public static final String ALL = "*";

        public AccessKey {
            permissions = List.copyOf(permissions);
        }

        @Override
        public String key() {
            return key(prefix);
        }

        /** The key of the record of what has this prefix. */
        public static String key(String prefix) {
            return "key/" + prefix;
        }

        /** Whether it has not ended by then. */
        public boolean lasts(Instant now) {
            return expiresAt == null || now.isBefore(expiresAt);
        }

        /** The version of what somebody else issued: a token that stands on no topic, and that nobody here can revoke. */
        public static final long ISSUED = -1;

        /** Whether it is a token of somebody else, which says itself what it is good for. */
        public boolean isIssued() {
            return version == ISSUED;
        }

        /** Whether it is the installation's own, which stands on no topic and does not end. */
        public boolean isInstallations() {
            return version == 0;
        }

        /** Whether it opens this, as far as its user may. */
        public boolean opens(Capability capability) {
            return permissions.contains(capability.code()) || permissions.contains(ALL) && !capability.isNamed();
        }
    }

    /** Kinds of {@link AccessKey}. */
    enum KeyKind {
        API_KEY,
        SIGN_IN
    }

    /**
     * A setting of the host.
     *
     * @param value JSON
     */
    record Setting(UUID host, String name, long version, String value) implements AccessRecord {
        @Override
        public String key() {
            return key(host, name);
        }

        /** The key of this setting's record. */
        public static String key(UUID host, String name) {
            return "setting/" + host + "/" + name;
        }
    }
}
