ALTER TABLE "consultations" ADD COLUMN "asked_again_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "follow_up_vet_id" integer;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "follow_up_taken_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "question_mail_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "answer_mail_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_follow_up_vet_id_users_id_fk" FOREIGN KEY ("follow_up_vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consultations_asked_again" ON "consultations" USING btree ("asked_again_at") WHERE asked_again_at is not null;--> statement-breakpoint
CREATE INDEX "consultations_question_mail" ON "consultations" USING btree ("question_mail_due_at") WHERE question_mail_due_at is not null;--> statement-breakpoint
CREATE INDEX "consultations_answer_mail" ON "consultations" USING btree ("answer_mail_due_at") WHERE answer_mail_due_at is not null;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_asked_again" CHECK (("consultations"."asked_again_at" is null or "consultations"."end" is not null) and ("consultations"."follow_up_vet_id" is null) = ("consultations"."follow_up_taken_at" is null)); --> statement-breakpoint
DROP TRIGGER "list_changes" ON "consultations";--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER INSERT OR DELETE OR UPDATE OF
	"type", "region", "user_id", "pet_id", "vet_id", "clinic_id", "caller", "pet_issue", "outcome", "start", "vet_start", "end", "cancelled_at",
	"free_since", "mail_when_taken", "clinic_shared_at", "clinic_notified_at", "clinic_accepted_at", "demo", "urgency", "urgency_read", "follow_up_vet_id"
	ON "consultations" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();
