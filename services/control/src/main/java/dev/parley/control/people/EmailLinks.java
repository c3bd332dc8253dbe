package dev.parley.control.people;

import dev.parley.control.mail.Mailer;
import dev.parley.control.mail.Mailer.Letter;
import dev.parley.control.people.SignInCodes.Purpose;
import dev.parley.control.people.SignInThrottle.Limit;
import dev.parley.platform.config.MailConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.network.PublicUrl;
import io.micronaut.http.HttpStatus;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import jakarta.mail.MessagingException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends sign-in codes by e-mail. The lookup of the address runs after the response, so that neither the response nor
 * its timing reveals whether the address has an account.
 */
@Singleton
final class EmailLinks {
    /** Method of sign-ins with these codes. */
    static final String METHOD = "email";

    private static final Logger LOG = LoggerFactory.getLogger(EmailLinks.class);
    private static final int THREADS = 2;
    private static final int MAX_QUEUED = 200;
    private static final int SHUTDOWN_SECONDS = 5;

    private final People people;
    private final SignInCodes codes;
    private final SignInThrottle attempts;
    private final PublicUrl url;
    private final @Nullable Mailer mailer;
    private final ExecutorService executor = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED),
            Thread.ofPlatform().daemon().name("mail-", 0).factory());

    EmailLinks(ParleyConfig config, People people, SignInCodes codes, SignInThrottle attempts, PublicUrl url) {
        this.people = people;
        this.codes = codes;
        this.attempts = attempts;
        this.url = url;
        MailConfig mail = config.mail();
        mailer = mail == null ? null : new Mailer(mail, Secrets.ofSignIn(config, System.getenv()));
    }

    /** Whether a mail server is configured. */
    boolean areEnabled() {
        return mailer != null;
    }

    /**
     * Sends a code in the background if an account has this address.
     *
     * @param redirect the page that receives the code, or null where the user types it
     * @throws ApiException 501 where no mail server is configured, 503 where too many e-mails are queued
     */
    void send(String email, @Nullable URI redirect) {
        Mailer open = mailer;
        if (open == null) {
            throw new ApiException(
                    HttpStatus.NOT_IMPLEMENTED,
                    "mail_not_configured",
                    "This server sends no e-mail: its operator can configure 'mail' in parley.yml.");
        }
        try {
            executor.execute(() -> deliver(open, email, redirect));
        } catch (RejectedExecutionException e) {
            throw new ApiException(
                    HttpStatus.SERVICE_UNAVAILABLE, "overloaded", "Too many e-mails are queued: try again later.");
        }
    }

    private void deliver(Mailer open, String email, @Nullable URI redirect) {
        try {
            List<SignInAccount> accounts = people.findAccounts(email).stream()
                    .filter(SignInAccount::active)
                    .toList();
            if (!accounts.isEmpty() && attempts.count(Limit.EMAIL_TO, email).isZero()) {
                for (SignInAccount account : accounts) {
                    deliver(open, account, accounts.size() > 1, redirect);
                }
            }
        } catch (MessagingException | RuntimeException e) {
            LOG.atWarn().addKeyValue("problem", e.toString()).log("e-mail not sent");
        }
    }

    /**
     * Sends to the stored address: the requested one may only look alike.
     *
     * @param several whether others have the same address, which none of them has proved
     */
    private void deliver(Mailer open, SignInAccount to, boolean several, @Nullable URI redirect)
            throws MessagingException {
        Person person = people.find(to.host(), to.user()).orElseThrow();
        String address = person.email();
        if (address != null) {
            String code = codes.issue(Purpose.EMAIL, to.user(), METHOD);
            open.send(letter(address, several ? person.username() : null, code, redirect));
        }
    }

    private Letter letter(String to, @Nullable String account, String code, @Nullable URI redirect) {
        String server = url.of("/").getHost();
        String text = redirect == null
                ? "Your code for " + server + ":\n\n" + code
                : "Open this to sign in at " + server + ":\n\n" + Redirects.with(redirect, "code", code);
        String which = account == null ? "" : """


                This is for the account "%s". Several accounts have your address: the one that you open keeps it.
                """.stripTrailing().formatted(account);
        return new Letter(to, "Sign in at " + server, text + which + """


                It can be used once, within 15 minutes. If you did not request it, ignore this e-mail.
                """);
    }

    /** Waits for queued e-mails, at most 5 s. */
    @PreDestroy
    void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
