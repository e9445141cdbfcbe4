CREATE INDEX "attachments_person" ON "attachments" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_attachment" ON "messages" USING btree ("attachment_id") WHERE attachment_id is not null;--> statement-breakpoint
CREATE INDEX "uploads_person" ON "uploads" USING btree ("user_id","created_at");