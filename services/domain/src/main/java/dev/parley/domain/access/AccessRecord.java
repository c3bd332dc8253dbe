package dev.parley.domain.access;

import dev.parley.domain.definition.Guardrail;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Access data on {@code access}, needed by every process that serves users. Contains no secrets. */
public sealed interface AccessRecord {
    /** The key on the topic. */
    String key();

    /** The tenant. */
    UUID host();

    /** Increases with every change. */
    long version();

    /**
     * An account in a host.
     *
     * @param admin whether the user is a host administrator
     * @param active false if the account is disabled
     * @param timeZone such as {@code Europe/Berlin}, or null
     * @param language such as {@code de}, or null
     * @param erasure id of the erasure of this account, or null
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

        /** The user's time zone, or {@link TimeZones#UTC}, also where this process does not know the zone. */
        public ZoneId zone() {
            try {
                return timeZone == null ? TimeZones.UTC : ZoneId.of(timeZone);
            } catch (DateTimeException e) {
                return TimeZones.UTC;
            }
        }

        /** The key of an account's record. */
        public static String key(UUID host, UUID user) {
            return "account/" + host + "/" + user;
        }
    }

    /**
     * A project.
     *
     * @param projectKey first part of all its record keys
     * @param archived whether the project is read-only
     * @param sharedSessions whether members who may read sessions may read those of others
     * @param retentionDays days of inactivity after which a session's content is removed, or null for never
     * @param defaultModel for installation-wide agents without a model of their own, {@code provider/model}, or null
     * @param erasure id of the erasure of this project, or null
     * @param guardrails of all agents used in it, which run before the agents' own
     * @param projectChanges whether its events are copied to the topic {@code project-changes}
     * @param checkout folder of a local or git project on the machine of its tools, or null
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

        /** The key of a project's record. */
        public static String key(String projectKey) {
            return "project/" + projectKey;
        }
    }

    /**
     * A membership in a project.
     *
     * @param rules override the role
     */
    record Member(UUID host, UUID project, UUID user, long version, ProjectRole role, List<Rule> rules)
            implements AccessRecord {
        /** Prefix of rules that grant a role for workflow tasks; the role's name follows. */
        public static final String TASK_ROLE = "role:";

        public Member {
            rules = List.copyOf(rules);
        }

        /** The member's roles for workflow tasks: the project role, and those granted by rules. */
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

        /** The key of a membership's record. */
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
     * A credential: an API key, or the token of a sign-in.
     *
     * @param id of the key or sign-in
     * @param prefix the visible part
     * @param hash SHA-256 of the credential, in hexadecimal
     * @param project the only project that it is valid for, or null for all
     * @param permissions codes of the included capabilities; {@code *} stands for all of its user's
     * @param expiresAt or null
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
        /** All capabilities of its user, except those that must be named. */
        public static final String ALL = "*";

        public AccessKey {
            permissions = List.copyOf(permissions);
        }

        @Override
        public String key() {
            return key(prefix);
        }

        /** The key of the record with this prefix. */
        public static String key(String prefix) {
            return "key/" + prefix;
        }

        /** Whether the key has not expired. */
        public boolean lasts(Instant now) {
            return expiresAt == null || now.isBefore(expiresAt);
        }

        /**
         * The version of a token issued by another identity provider, which is on no topic and cannot be revoked here.
         */
        public static final long ISSUED = -1;

        /** Whether the token was issued by another identity provider, and states its own permissions. */
        public boolean isIssued() {
            return version == ISSUED;
        }

        /** Whether this is the installation's own key, which is on no topic and does not expire. */
        public boolean isInstallations() {
            return version == 0;
        }

        /** Whether the key has all rights of its user, except those that must be named. */
        public boolean isUnlimited() {
            return project == null && permissions.contains(ALL);
        }

        /** Whether the key includes a capability, provided that its user has it. */
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
     * A host-level setting.
     *
     * @param value JSON
     */
    record Setting(UUID host, String name, long version, String value) implements AccessRecord {
        @Override
        public String key() {
            return key(host, name);
        }

        /** The key of a setting's record. */
        public static String key(UUID host, String name) {
            return "setting/" + host + "/" + name;
        }
    }
}
