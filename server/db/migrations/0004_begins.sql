ALTER TABLE "live_attachments" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "live_attachments" CASCADE;--> statement-breakpoint
CREATE INDEX "pets_name_begins" ON "pets" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_email_begins" ON "users" USING btree ("email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_name_begins" ON "users" USING btree (lower("first_name" || ' ' || "last_name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_last_name_begins" ON "users" USING btree (lower("last_name") text_pattern_ops);