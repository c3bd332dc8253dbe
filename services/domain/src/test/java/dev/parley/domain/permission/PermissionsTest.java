package dev.parley.domain.permission;

import static dev.parley.domain.permission.PermissionAction.ALLOW;
import static dev.parley.domain.permission.PermissionAction.ASK;
import static dev.parley.domain.permission.PermissionAction.DENY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.permission.Permissions.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Precedence of permission rules, and the subject of a call. */
class PermissionsTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    /**
     * A rule such as {@code project deny shell: rm *}, {@code agent:ann …}, {@code host lock …},
     * {@code session allow … until past}.
     */
    private static PermissionRule rule(String text) {
        String[] parts = text.strip().split(": ", 2);
        String[] words = parts[0].split(" ");
        String[] level = words[0].split(":");
        boolean past = parts[1].endsWith(" until past");
        boolean locked = words[1].equals("lock");
        return new PermissionRule(
                Ids.of(text),
                RuleLevel.valueOf(level[0].toUpperCase(Locale.ROOT)),
                level.length > 1 ? level[1] : null,
                words[2],
                past ? parts[1].substring(0, parts[1].length() - " until past".length()) : parts[1],
                locked ? DENY : PermissionAction.valueOf(words[1].toUpperCase(Locale.ROOT)),
                locked,
                past ? NOW.minusSeconds(1) : null,
                "somebody");
    }

    private static List<PermissionRule> rules(String text) {
        var rules = new ArrayList<PermissionRule>();
        for (String rule : text.split(";")) {
            if (!rule.isBlank()) {
                rules.add(rule(rule));
            }
        }
        return rules;
    }

    private static Call call(String call) {
        String[] parts = call.split(": ", 2);
        Subject.Kind kind = switch (parts[0]) {
            case "shell" -> Subject.Kind.COMMAND;
            case "read", "write" -> Subject.Kind.PATH;
            case "fetch" -> Subject.Kind.URL;
            default -> Subject.Kind.TOOL;
        };
        String category = switch (parts[0]) {
            case "read", "fetch" -> "@read";
            case "write" -> "@write";
            default -> "@execute";
        };
        return new Call("ann", parts[0], category, Subject.of(kind, parts.length > 1 ? parts[1] : ""));
    }

    @ParameterizedTest(name = "{0} | {1} -> {2}")
    @Tag("I97")
    @CsvSource(delimiter = '§', quoteCharacter = '~', textBlock = """
            # nothing says anything
                                                                            § shell: ls              § ASK
            host allow read: /**                                            § shell: ls              § ASK
            # at equal specificity the strictest
            host allow shell: rm *; host deny shell: rm *                   § shell: rm x            § DENY
            host allow shell: rm *; host ask shell: rm *                    § shell: rm x            § ASK
            host ask shell: rm *; host deny shell: rm *                     § shell: rm x            § DENY
            # the more specific one
            host deny *: **; host allow shell: ls *                         § shell: ls -l           § ALLOW
            host allow *: **; host deny shell: **                           § shell: ls              § DENY
            host allow write: /**; host deny write: /etc/**                 § write: /etc/passwd     § DENY
            host deny write: /etc/**; host allow write: /etc/motd           § write: /etc/motd       § ALLOW
            host deny fetch: https://**; host allow fetch: https://x.org/** § fetch: https://x.org/a § ALLOW
            # another notation is not more specific
            host deny fetch: https://ok/**; host allow fetch: https://OK:443/**  § fetch: https://ok/a   § DENY
            host deny fetch: http://[::1]/**; host allow fetch: http://[0::1]/** § fetch: http://[::1]/a § DENY
            host deny fetch: https://ok/b*; host allow fetch: https://ok/%62*    § fetch: https://ok/b   § DENY
            # any port is less than one port
            host deny fetch: https://ok/**; host allow fetch: https://ok:*/**    § fetch: https://ok/a   § DENY
            host deny fetch: https://ok:*/**; host allow fetch: https://ok:81/** § fetch: https://ok:81/ § ALLOW
            # a category is less than a name and more than all
            host allow @read: **; host deny *: **                           § read: /a               § ALLOW
            host allow @read: **                                            § write: /a              § ASK
            host deny @read: **; host allow read: /**                       § read: /a               § ALLOW
            host allow @write: /docs/**                                     § write: /docs/a         § ALLOW
            host allow @write: /docs/**                                     § write: /etc/a          § ASK
            host lock @execute: **; session allow shell: **                 § shell: ls              § DENY
            # the nearer one, however specific the farther is
            host deny shell: rm *; project allow shell: **                  § shell: rm x            § ALLOW
            project deny shell: rm x; session allow *: **                   § shell: rm x            § ALLOW
            session deny *: **; host allow shell: rm x                      § shell: rm x            § DENY
            host allow shell: **; agent:ann deny shell: **                  § shell: ls              § DENY
            project deny shell: **; agent:ann allow shell: **               § shell: ls              § ALLOW
            agent:ann deny shell: **; session allow shell: **               § shell: ls              § ALLOW
            installation allow echo: **; host deny echo: **                 § echo                   § DENY
            # another agent's
            agent:bob allow shell: **                                       § shell: ls              § ASK
            # for good
            host lock shell: rm *; session allow shell: rm *                § shell: rm x            § DENY
            installation lock *: **; session allow shell: ls                § shell: ls              § DENY
            host lock shell: rm *; session allow shell: **                  § shell: ls              § ALLOW
            # over
            session allow shell: ** until past                              § shell: ls              § ASK
            host lock shell: ** until past; host allow shell: **            § shell: ls              § ALLOW
            # all commands of a line
            host allow shell: ls *; host deny shell: rm *                   § shell: ls && rm x      § DENY
            host allow shell: ls *                                          § shell: ls; curl x      § ASK
            host allow shell: ls *; host allow shell: wc *                  § shell: ls -l | wc      § ALLOW
            """)
    void decidesByTheDocumentedPrecedence(String rules, String call, PermissionAction expected) {
        assertEquals(
                expected,
                Permissions.decide(rules(rules == null ? "" : rules), call(call), NOW)
                        .action());
    }

    @ParameterizedTest(name = "{0} matches {1}: {2}")
    @Tag("I98")
    @CsvSource(delimiter = '|', textBlock = """
            /a/*      | /a/b        | true
            /a/*      | /a/b/c      | false
            /a/**     | /a/b/c      | true
            /a/**     | /a          | false
            /a/?      | /a/b        | true
            /a?b      | /a/b        | false
            /**/x     | /a/b/x      | true
            /*/x      | /a/b/x      | false
            **        | anything    | true
            /a/*.txt  | /a/b.txt    | true
            /a/*.txt  | /a/b.txt/c  | false
            /a/\\*     | /a/*        | true
            /a/\\*     | /a/b        | false
            /A/b      | /a/b        | false
            /**/a/*/b | /x/a/y/a/z/b | true
            """)
    void matchesWildcardsBySegment(String pattern, String value, boolean matches) {
        assertEquals(matches, Pattern.matches(pattern, value, false));
    }

    @Test
    @Tag("I98")
    void matchingAHostilePatternTerminates() {
        String value = "a".repeat(4_000);
        assertFalse(Pattern.matches("*a".repeat(500) + "b", value, false));
        assertFalse(Pattern.matches("**a*".repeat(200) + "b", value, false));
    }

    @ParameterizedTest(name = "{0}")
    @Tag("I98")
    @CsvSource(delimiter = '§', quoteCharacter = '~', textBlock = """
            sudo rm -rf /x                      § rm -rf /x
            /bin/rm -rf /x                      § rm -rf /x
            sudo /bin/rm -rf /x                 § rm -rf /x
            'rm' -rf /x                         § rm -rf /x
            r\\m -rf /x                          § rm -rf /x
            sudo env nohup rm -rf /x            § rm -rf /x
            timeout 5 rm -rf /x                 § rm -rf /x
            sh -c 'rm -rf /x'                   § rm -rf /x
            bash -lc "sudo rm -rf /x"           § rm -rf /x
            ls && rm -rf /x                     § rm -rf /x
            ls; rm -rf /x                       § rm -rf /x
            echo $(rm -rf /x)                   § rm -rf /x
            echo `rm -rf /x`                    § rm -rf /x
            (cd /; rm -rf /x)                   § rm -rf /x
            { rm -rf /x; }                      § rm -rf /x
            find . | xargs rm -rf /x            § rm -rf /x
            rm  -rf    /x                       § rm -rf /x
            echo "$(rm -rf /x)"                 § rm -rf /x
            echo "a `rm -rf /x`"                § rm -rf /x
            echo "$(echo $(rm -rf /x))"         § rm -rf /x
            cat <(rm -rf /x)                    § rm -rf /x
            echo ${A} && rm -rf /x              § rm -rf /x
            find . -name a -exec rm -rf /x \\;  § rm -rf /x
            find . -execdir /bin/rm -rf /x +    § rm -rf /x
            find . -ok sudo rm -rf /x           § rm -rf /x
            find /a -exec sh -c 'rm -rf /x' +   § rm -rf /x
            flock f rm -rf /x                   § rm -rf /x
            watch rm -rf /x                     § rm -rf /x
            watch 'ls; rm -rf /x'               § rm -rf /x
            watch ls ';' rm -rf /x              § rm -rf /x
            taskset 1 rm -rf /x                 § rm -rf /x
            chroot /srv rm -rf /x               § rm -rf /x
            """)
    void noWrapperHidesACommand(String line, String command) {
        var subject = Subject.of(Subject.Kind.COMMAND, line);
        assertTrue(subject.values().contains(command), () -> subject.values().toString());
        assertEquals(
                DENY,
                Permissions.decide(
                                rules("session allow *: **; host lock shell: rm *"),
                                new Call("ann", "shell", "@execute", subject),
                                NOW)
                        .action());
    }

    @ParameterizedTest
    @Tag("I98")
    @ValueSource(
            strings = {
                "ssh host rm -rf /x",
                "ssh host 'cd /; rm -rf /x'",
                "docker exec box /bin/rm -rf /x",
                "tar -cf a.tar --checkpoint=1 --checkpoint-action=exec='rm x' .",
                "tar --to-command=rm -xf a.tar",
                "git -c core.pager='rm x' log",
                "git bisect run rm x",
                "git -c alias.a='!rm x' a",
                "sort --compress-program=rm x",
                "rsync -e 'rm x' a b",
                "make SHELL=/bin/rm",
                "mvn exec:exec -Dexec.executable=rm",
                "sed '1e rm x' f",
                "sed 's/a/r\"\"m x/e' f",
                "man -P 'r${X}m x' ls",
                "unknown-tool 'r$1m x'",
                "unknown-tool --run='echo a|rm x'",
                "bash script.sh rm x",
                "env zsh ./run rm"
            })
    void denialOfACommandAlsoAppliesToTheArgumentsOfOtherPrograms(String line) {
        var rules = rules("session allow *: **; host lock shell: rm *");

        assertEquals(
                DENY, Permissions.decide(rules, call("shell: " + line), NOW).action());
    }

    @ParameterizedTest
    @Tag("I98")
    @ValueSource(
            strings = {
                "echo rm x",
                "grep -r rm .",
                "cat rm",
                "mvn -q verify",
                "git commit -m 'it works, and they say: firm!'",
                "awk '{print $2}' f",
                "python -m pytest tests",
                "node app.js",
                "find . -name rm -type f",
                "ls rm"
            })
    void wordsThatCannotBeRunAreNotDenied(String line) {
        var rules = rules("session allow *: **; host lock shell: rm *");

        assertEquals(
                ALLOW, Permissions.decide(rules, call("shell: " + line), NOW).action());
    }

    @Test
    @Tag("I98")
    void ruleForEverythingDoesNotNameHiddenCommands() {
        var rules = rules("host ask *: **; host allow shell: mvn *; host ask shell: rm *");

        assertEquals(
                ALLOW, Permissions.decide(rules, call("shell: mvn verify"), NOW).action());
        assertEquals(ASK, Permissions.decide(rules, call("shell: mvn rm"), NOW).action());
    }

    @Test
    @Tag("I94")
    void standingPermissionCoversTheHiddenCommandsOfItsCall() {
        // Given
        var subject = Subject.of(Subject.Kind.COMMAND, "ssh host rm x");
        var call = new Call("ann", "shell", "@execute", subject);
        var asked = rules("host allow shell: ssh *; host ask shell: rm *");
        assertEquals(ASK, Permissions.decide(asked, call, NOW).action());

        // When
        var rules = new ArrayList<>(asked);
        rules.addAll(PermissionRule.allowing(Ids.of("1"), "shell", subject.values(), "ann"));

        // Then
        assertEquals(ALLOW, Permissions.decide(rules, call, NOW).action());
        rules.addAll(rules("host lock shell: rm *"));
        assertEquals(DENY, Permissions.decide(rules, call, NOW).action());
    }

    @ParameterizedTest
    @Tag("I98")
    @ValueSource(
            strings = {
                "find . -exec",
                "find . -exec sh",
                "sh",
                "curl x | sh",
                "python -c 'import os'",
                "python3.12 -Ic 'import os'",
                "python - x",
                "perl -ne 'print'",
                "node --eval 'x'",
                "vim +'!rm x' f",
                "awk 'BEGIN{system(\"r\" \"m x\")}'",
                "gawk -f prog f",
                "at now",
                "su - root",
                "watch -n 1 rm x",
                "ls #'\nrm -rf ~ #'",
                "echo $(echo \")\" ; rm x)",
                "echo `echo \\`rm x\\``",
                "env \"-Srm -rf /x\" ls",
                "bash -rcfile ls -c 'rm x'",
                "sudo -u root rm x",
                "nice -n 5 rm x",
                "LD_PRELOAD=/tmp/x.so ls",
                "! rm x",
                "if rm x; then :; fi",
                "for i in 1; do rm x; done",
                "$'rm' x",
                "r\\\nm x",
                "{rm,-rf,x}",
                "a+=1 rm x",
                "bash -Ec 'rm x'",
                "bash -c -- 'rm x'",
                "eval rm x",
                "echo ${A:-$(rm x)}",
                "   "
            })
    void rejectsCommandLinesThatRulesCannotParse(String line) {
        assertThrows(IllegalArgumentException.class, () -> Subject.of(Subject.Kind.COMMAND, line));
    }

    @Test
    @Tag("I98")
    void asksUnlessTheWrapperIsAllowedToo() {
        for (String line : List.of("sudo ls", "/tmp/evil/ls", "./ls", "sh -c ls")) {
            assertEquals(
                    ASK,
                    Permissions.decide(rules("host allow shell: ls *"), call("shell: " + line), NOW)
                            .action(),
                    line);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @Tag("I98")
    @CsvSource(delimiter = '|', textBlock = """
            https://ok/caf%C3%A9/**     | https://ok/caf%c3%a9/x
            https://ok/caf%c3%a9/**     | https://ok/%63af%C3%A9/x
            https://ok/café/**          | https://ok/caf%C3%A9/x
            https://ok/c%61f%c3%a9/*    | https://ok/café/x
            https://ok/items:purge      | https://ok/items%3Apurge
            https://ok/my docs/**       | https://ok/my%20docs/x
            https://ok/a?x=%7e          | https://ok/a?x=~
            """)
    void anotherNotationOfAUrlDoesNotBypassADenial(String pattern, String url) {
        var denial = rules("host allow fetch: **; host deny fetch: " + pattern);

        assertEquals(
                DENY, Permissions.decide(denial, call("fetch: " + url), NOW).action());
    }

    @Test
    @Tag("I98")
    void anEscapedSignOfAPatternIsNoWildcard() {
        assertEquals(
                ASK,
                Permissions.decide(rules("host allow fetch: https://ok/%2A"), call("fetch: https://ok/a"), NOW)
                        .action());
    }

    @ParameterizedTest
    @Tag("I98")
    @ValueSource(
            strings = {
                "https://ok/pub/../x|",
                "http://1572395042./",
                "http://0x7f000001/",
                "http://192.0.2.010/",
                "http://[::ffff:010.0.0.1]/",
                "http://[::ffff:10.0.0.01]/",
                "http://[fe80::1%25eth0]/",
                "http://[fe80::1%1]/",
                "https://ok/a%2F..%2Fb",
                "https://ok/%2e%2e/a",
                "https://ok/a//../b",
                "http://1572395042/",
                "ok/a",
                "https://a_b/"
            })
    void aUrlThatCanBeReadInTwoWaysIsRefused(String url) {
        assertThrows(IllegalArgumentException.class, () -> Subject.of(Subject.Kind.URL, url));
    }

    @Test
    @Tag("I98")
    void onlyADoubleStarMatchesACallWithoutSubject() {
        assertEquals(
                ASK,
                Permissions.decide(rules("host allow *: *"), call("echo"), NOW).action());
        assertEquals(
                ALLOW,
                Permissions.decide(rules("host allow *: **"), call("echo"), NOW).action());
    }

    @ParameterizedTest(name = "{0}")
    @Tag("I98")
    @CsvSource(delimiter = '|', textBlock = """
            /a/../etc/passwd          | /etc/passwd
            a/./b//c/                 | /a/b/c
            ../../etc/passwd          | /etc/passwd
            \\etc\\passwd             | /etc/passwd
            /                         | /
            """)
    void normalizesPaths(String path, String expected) {
        assertEquals(List.of(expected), Subject.of(Subject.Kind.PATH, path).values());
    }

    @ParameterizedTest(name = "{0}")
    @Tag("I98")
    @CsvSource(delimiter = '|', textBlock = """
            HTTPS://Example.ORG:443       | https://example.org/
            https://u:p@example.org/a/../b#x | https://example.org/b
            http://example.org:8080/?q=1  | http://example.org:8080/?q=1
            https://example.org./a        | https://example.org/a
            https://ok/%61dmin/%c3%a9?%7e | https://ok/admin/%C3%A9?~
            https://ok/é                  | https://ok/%C3%A9
            https://ok/%2561              | https://ok/%2561
            https://ok:0443/              | https://ok/
            http://ok:443/                | http://ok:443/
            http://01.ok/                 | http://01.ok/
            http://[0:0:0:0:0:0:0:1]:80/  | http://[::1]/
            http://[0:0:0:0:0:0:0:0]/     | http://[::]/
            http://[2001:DB8:0:0:1::1]/   | http://[2001:db8::1:0:0:1]/
            http://[2001:db8::1:0:0:0]/   | http://[2001:db8:0:0:1::]/
            http://[1:0:2:3:4:5:6:007]/   | http://[1:0:2:3:4:5:6:7]/
            http://[::192.0.2.1]/         | http://[::c000:201]/
            http://[::ffff:c000:201]:81/  | http://192.0.2.1:81/
            """)
    void normalizesUrls(String url, String expected) {
        assertEquals(List.of(expected), Subject.of(Subject.Kind.URL, url).values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void rejectsABlankOrOverlongPath(String argument) {
        assertThrows(IllegalArgumentException.class, () -> Subject.of(Subject.Kind.PATH, argument));
        assertThrows(IllegalArgumentException.class, () -> Subject.of(Subject.Kind.PATH, "x".repeat(5_000)));
    }

    @Test
    @Tag("I94")
    void standingPermissionMatchesTheLiteralCommandOnly() {
        // Given
        var subject = Subject.of(Subject.Kind.COMMAND, "rm *; ls [a]?");

        // When
        var rules = PermissionRule.allowing(Ids.of("1"), "shell", subject.values(), "ann");

        // Then
        assertEquals(
                ALLOW,
                Permissions.decide(rules, new Call("ann", "shell", "@execute", subject), NOW)
                        .action());
        assertEquals(ASK, Permissions.decide(rules, call("shell: rm x"), NOW).action());
        assertEquals(ASK, Permissions.decide(rules, call("shell: ls [a]b"), NOW).action());
        assertEquals(ASK, Permissions.decide(rules, call("write: /rm *"), NOW).action());
    }

    @Test
    void theOrderOfRulesChangesNothing() {
        var random = new Random(7);
        var rules = rules("host allow shell: rm *;host deny shell: rm *;project ask *: **;agent:ann allow shell: r*;"
                + "session deny shell: rm y;host lock shell: rm z");
        for (String line : List.of("rm x", "rm y", "rm z", "ls", "rx")) {
            Decision first = Permissions.decide(rules, call("shell: " + line), NOW);
            for (int i = 0; i < 50; i++) {
                var shuffled = new ArrayList<>(rules);
                java.util.Collections.shuffle(shuffled, random);
                assertEquals(first, Permissions.decide(shuffled, call("shell: " + line), NOW));
            }
        }
    }
}
