/** Export of personal data: a ZIP file of what the services of this process store about a person. */
@NullMarked
package dev.parley.platform.personal;

import org.jspecify.annotations.NullMarked;
