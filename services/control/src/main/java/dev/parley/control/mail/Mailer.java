package dev.parley.control.mail;

import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.MailConfig;
import dev.parley.platform.config.MailConfig.Security;
import dev.parley.platform.config.secret.Secrets;
import jakarta.mail.Authenticator;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Sends e-mail by SMTP; each network operation times out after 10 s. */
public final class Mailer {
    private static final String TIMEOUT_MS = "10000";

    private final MailConfig config;
    private final Secrets secrets;
    private final InternetAddress from;

    /** @throws ConfigException where the sender is not a valid address */
    public Mailer(MailConfig config, Secrets secrets) {
        this.config = config;
        this.secrets = secrets;
        from = sender(config.from());
    }

    private static InternetAddress sender(String text) {
        int name = text.indexOf('<');
        try {
            var address = new InternetAddress(name < 0 ? text : text.substring(name + 1, text.length() - 1), true);
            if (name > 0) {
                address.setPersonal(text.substring(0, name).strip(), StandardCharsets.UTF_8.name());
            }
            return address;
        } catch (AddressException | UnsupportedEncodingException e) {
            throw new ConfigException("mail.from", "must be an address such as Parley <parley@example.com>", e);
        }
    }

    /** An e-mail of plain text to one address. */
    public record Letter(String to, String subject, String text) {
        /** Omits fields that may be secret. */
        @Override
        public String toString() {
            return "Letter[" + subject + "]";
        }
    }

    /**
     * Sends an e-mail.
     *
     * @throws MessagingException where it was rejected, or the address is invalid
     */
    public void send(Letter letter) throws MessagingException {
        var message = new MimeMessage(session());
        message.setFrom(from);
        // Strict: one address, and nothing that could begin another header.
        message.setRecipient(RecipientType.TO, new InternetAddress(letter.to(), true));
        message.setSubject(letter.subject(), StandardCharsets.UTF_8.name());
        message.setText(letter.text(), StandardCharsets.UTF_8.name());
        message.setHeader("Auto-Submitted", "auto-generated");
        message.setSentDate(Date.from(Instant.now()));
        Transport.send(message);
    }

    private Session session() {
        String user = config.user();
        String reference = config.password();
        if (user == null || reference == null) {
            return Session.getInstance(properties(), null);
        }
        String password = secrets.get(reference);
        return Session.getInstance(properties(), new Authenticator() {
            @Override
            protected @Nullable PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(user, password);
            }
        });
    }

    private Properties properties() {
        var properties = new Properties();
        properties.setProperty("mail.transport.protocol", "smtp");
        properties.setProperty("mail.smtp.host", config.host());
        properties.setProperty("mail.smtp.port", Integer.toString(config.port()));
        properties.setProperty("mail.smtp.auth", Boolean.toString(config.user() != null));
        properties.setProperty("mail.smtp.ssl.enable", Boolean.toString(config.security() == Security.TLS));
        boolean starttls = config.security() == Security.STARTTLS;
        properties.setProperty("mail.smtp.starttls.enable", Boolean.toString(starttls));
        properties.setProperty("mail.smtp.starttls.required", Boolean.toString(starttls));
        properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
        for (String name : new String[] {"connectiontimeout", "timeout", "writetimeout"}) {
            properties.setProperty("mail.smtp." + name, TIMEOUT_MS);
        }
        return properties;
    }
}
